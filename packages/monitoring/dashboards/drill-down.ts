import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import { dashboardIds } from '../settings.ts';
import type { Link, Panel } from './panel.ts';

/** The same time, data source and jobs there. */
const kept = `\${__url_time_range}&var-datasource=\${datasource}&\${job:queryparam}`;

/** The dashboard of a model. */
export const toModels: Link = ['Open a model', `/d/${dashboardIds.model}?${kept}`];
/** The web page with its failed predictions, by model. */
export const toFailures: Link = ['See failed predictions', `\${page}/#by=model`];
/** The service's page. */
export const toService: Link = ['Open the service', `\${page}/`];

/** Where a click on a value leads: to the model or agent that it is of, else `deeper`. */
export function drillDown({ queries, columns = [], kind }: Panel, deeper: Link): dashboard.DashboardLinkBuilder {
  const [title, url] = ofDimension('model') ?? ofDimension('agent') ?? deeper;
  return new dashboard.DashboardLinkBuilder(title).type(dashboard.DashboardLinkType.Link).url(url).targetBlank(false);

  function ofDimension(dimension: 'model' | 'agent'): Link | undefined {
    const column = columns.find(({ label }) => label === dimension);
    const matches =
      kind === 'table' ? column !== undefined : queries.some(({ legend }) => legend?.includes(`{{${dimension}}}`));
    if (!matches) return undefined;
    const value = kind === 'table' ? `\${__data.fields.${column!.title}}` : `\${__field.labels.${dimension}}`;
    const id = dimension === 'model' ? dashboardIds.model : dashboardIds.overview;
    return [`Open the ${dimension}`, `/d/${id}?${kept}&var-${dimension}=${value}`];
  }
}
