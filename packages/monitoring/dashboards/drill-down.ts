import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import { dashboardIds } from '../settings.ts';
import type { DashboardSpec, Link, Panel } from './panel.ts';

/** The same time, data source and jobs there. */
const kept = `\${__url_time_range}&var-datasource=\${datasource}&\${job:queryparam}`;

/** The dashboard of a model. */
export const toModels: Link = ['Open a model', `/d/${dashboardIds.model}?${kept}`];
/** The web page with its failed predictions, by model. */
export const toFailures: Link = ['See failed predictions', `\${page}/#by=model`];
/** The service's page. */
export const toService: Link = ['Open the service', `\${page}/`];

/** The web page, for the time range of the dashboard and, where it has windows of event time, the same window. */
function inPage(window: DashboardSpec['window'], choice: string): Link {
  const chosen = window === 'event' ? `&window=\${window}` : '';
  return ['See it in the web page', `\${page}/#${choice}from=\${__from}&until=\${__to}${chosen}`];
}

/** The model or agent of a value in the web page, else all traffic. */
export function pageLink(panel: Panel, window: DashboardSpec['window']): dashboard.DashboardLinkBuilder {
  const value = clickedOn(panel, 'model') ?? clickedOn(panel, 'agent');
  return linkOf(inPage(window, value === undefined ? '' : `by=${value.dimension}&${value.dimension}=${value.text}&`));
}

/** Where a click on a value leads: to the dashboard of the model or agent that it is of, else `deeper`. */
export function drillDown(panel: Panel, deeper: Link): dashboard.DashboardLinkBuilder {
  const value = clickedOn(panel, 'model') ?? clickedOn(panel, 'agent');
  if (value === undefined) return linkOf(deeper);
  const { dimension, text } = value;
  const id = dimension === 'model' ? dashboardIds.model : dashboardIds.overview;
  return linkOf([`Open the ${dimension}`, `/d/${id}?${kept}&var-${dimension}=${text}`]);
}

interface Value {
  readonly dimension: 'model' | 'agent';
  /** As Grafana fills it in. */
  readonly text: string;
}

/** The model or agent of a value that is clicked on; undefined where the panel shows none. */
function clickedOn({ queries, columns = [], kind }: Panel, dimension: Value['dimension']): Value | undefined {
  if (kind !== 'table') {
    const isOfOne = queries.some(({ legend }) => legend?.includes(`{{${dimension}}}`));
    return isOfOne ? { dimension, text: `\${__field.labels.${dimension}}` } : undefined;
  }
  const column = columns.find(({ label }) => label === dimension);
  return column && { dimension, text: `\${__data.fields.${column.title}}` };
}

const linkOf = ([title, url]: Link): dashboard.DashboardLinkBuilder =>
  new dashboard.DashboardLinkBuilder(title).type(dashboard.DashboardLinkType.Link).url(url).targetBlank(false);
