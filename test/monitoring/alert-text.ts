import { type ExpectedAlert, type Labels, links } from '../support/promtool.ts';

/** An alert of the program itself, as it goes out. */
export function operatingAlert(
  alert: string,
  labels: Labels & { readonly severity: string },
  summary: string,
  description: string,
): ExpectedAlert {
  return {
    labels,
    annotations: {
      summary,
      description,
      ...addresses(alert, 'assay-pipeline?var-job=assay'),
    },
  };
}

/** An alert on a model, as it goes out: its page is sorted by the metric. */
export function modelAlert(
  alert: string,
  labels: Labels & { readonly model: string },
  summary: string,
  description: string,
  metric: string,
): ExpectedAlert {
  return {
    labels: { job: 'assay', ...labels },
    annotations: {
      summary,
      description,
      ...addresses(
        alert,
        `assay-model?var-job=assay&var-model=${labels.model}`,
        `#by=model&model=${labels.model}&sort=${metric}`,
      ),
    },
  };
}

/** Where an alert leads; `shown` is what the service's page opens at. */
export function addresses(alert: string, dashboard: string, shown = '', { page, grafana, runbooks } = links): Labels {
  return {
    runbook_url: `${runbooks}/${alert}.md`,
    page_url: `${page}/${shown}`,
    dashboard_url: `${grafana}/d/${dashboard}`,
  };
}
