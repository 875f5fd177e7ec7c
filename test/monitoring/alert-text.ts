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

/** An alert on a model, as it goes out. */
export function modelAlert(
  alert: string,
  labels: Labels & { readonly model: string },
  summary: string,
  description: string,
  by = '',
): ExpectedAlert {
  return {
    labels: { job: 'assay', ...labels },
    annotations: {
      summary,
      description,
      ...addresses(alert, `assay-model?var-job=assay&var-model=${labels.model}`, by),
    },
  };
}

/** Where an alert leads; `by` is what the service's page shows groups by. */
export function addresses(alert: string, dashboard: string, by = '', { page, grafana, runbooks } = links): Labels {
  return {
    runbook_url: `${runbooks}/${alert}.md`,
    page_url: `${page}/${by}`,
    dashboard_url: `${grafana}/d/${dashboard}`,
  };
}
