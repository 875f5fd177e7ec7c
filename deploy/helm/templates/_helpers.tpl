{{- define "assay.bucket" -}}
{{- if hasPrefix "s3://" (default "" .Values.config.state.dir) }}true{{ end -}}
{{- end }}

{{- define "assay.selector" -}}
app.kubernetes.io/name: assay
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "assay.labels" -}}
{{ include "assay.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* The pod: of the service, or of the view. */}}
{{- define "assay.pod" -}}
{{- $root := .root -}}
automountServiceAccountToken: false
{{- with $root.Values.serviceAccount.name }}
serviceAccountName: {{ . }}
{{- end }}
# `grace` (25s) to finish the batch, checkpoint and leave the group, and some seconds more.
terminationGracePeriodSeconds: 60
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
containers:
  - name: assay
    image: "{{ $root.Values.image.repository }}:{{ default $root.Chart.AppVersion $root.Values.image.tag }}"
    imagePullPolicy: {{ $root.Values.image.pullPolicy }}
    args: [{{ .command }}, -c, /etc/assay/assay.yaml]
    env:
      # Metrics and health on a port of their own: whoever may scrape does not see the page.
      - name: ASSAY_HTTP__EXPOSE
        value: 0.0.0.0:9465
      {{- with $root.Values.env }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    ports:
      - name: http
        containerPort: 9464
      - name: metrics
        containerPort: 9465
    # Restoring a large state takes its time; /livez answers meanwhile.
    startupProbe:
      httpGet: { path: /livez, port: metrics }
      periodSeconds: 2
      failureThreshold: 60
    livenessProbe:
      httpGet: { path: /livez, port: metrics }
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    readinessProbe:
      httpGet: { path: /readyz, port: metrics }
      periodSeconds: 5
    resources:
      {{- toYaml .resources | nindent 6 }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities:
        drop: [ALL]
    volumeMounts:
      - name: config
        mountPath: /etc/assay
        readOnly: true
      - name: state
        mountPath: /var/lib/assay
      - name: tmp
        mountPath: /tmp
volumes:
  - name: config
    configMap:
      name: {{ $root.Release.Name }}
  - name: tmp
    emptyDir: {}
  {{- if include "assay.bucket" $root }}
  - name: state
    emptyDir: {}
  {{- end }}
{{- end }}
