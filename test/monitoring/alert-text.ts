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
      runbook_url: `${links.runbooks}/${alert}.md`,
      dashboard_url: `${links.grafana}/d/assay-pipeline?var-job=assay`,
    },
  };
}

/** An alert on a model, as it goes out. */
export function modelAlert(
  alert: string,
  labels: Labels & { readonly model: string },
  summary: string,
  description: string,
): ExpectedAlert {
  return {
    labels: { job: 'assay', ...labels },
    annotations: {
      summary,
      description,
      runbook_url: `${links.runbooks}/${alert}.md`,
      dashboard_url: `${links.grafana}/d/assay-model?var-job=assay&var-model=${labels.model}`,
    },
  };
}
