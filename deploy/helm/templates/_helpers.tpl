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

{{/* Labels of a Service or pod: those that selectors need lie over the user's. Takes root, component, more. */}}
{{- define "assay.componentLabels" -}}
{{- $own := include "assay.labels" .root | fromYaml -}}
{{- toYaml (merge (dict "app.kubernetes.io/component" .component) $own .more) -}}
{{- end }}

{{- define "assay.image" -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end }}

{{- define "assay.serviceAccount" -}}
{{ default (ternary .Release.Name "" .Values.serviceAccount.create) .Values.serviceAccount.name }}
{{- end }}

{{/* Annotations of a pod: a changed configuration restarts it. */}}
{{- define "assay.podAnnotations" -}}
{{- toYaml (merge (dict "checksum/config" (include "assay.config" . | sha256sum)) .Values.podAnnotations) -}}
{{- end }}

{{/* The pod: of the service, or of the view. Takes root, command, resources. */}}
{{- define "assay.pod" -}}
{{- $root := .root -}}
{{- $values := $root.Values -}}
{{- $folders := include "assay.folders" $root | fromYaml -}}
automountServiceAccountToken: false
{{- with include "assay.serviceAccount" $root }}
serviceAccountName: {{ . }}
{{- end }}
terminationGracePeriodSeconds: {{ include "assay.secondsToStop" $root }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- range $key := list "imagePullSecrets" "nodeSelector" "tolerations" "affinity" "topologySpreadConstraints" }}
{{- with index $values $key }}
{{ $key }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
containers:
  - name: assay
    image: {{ include "assay.image" $root | quote }}
    imagePullPolicy: {{ $values.image.pullPolicy }}
    args: [{{ .command }}, -c, /etc/assay/assay.yaml]
    {{- with $values.envFrom }}
    envFrom:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    env:
      # An empty variable counts as absent: what the image sets does not lie over assay.yaml.
      {{- range include "assay.derivedVariables" $root | fromYamlArray }}
      - { name: {{ . }}, value: "" }
      {{- end }}
      {{- with $values.env }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    ports:
      - name: http
        containerPort: {{ include "assay.httpPort" $root }}
      - name: metrics
        containerPort: {{ include "assay.metricsPort" $root }}
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
      - name: tmp
        mountPath: /tmp
      {{- range $name, $path := $folders }}
      - name: state
        mountPath: {{ $path }}
        subPath: {{ $name }}
      {{- end }}
      {{- range $index, $_ := $values.ingest.tokens }}
      - name: tokens-{{ $index }}
        mountPath: /etc/assay-tokens/{{ $index }}
        readOnly: true
      {{- end }}
      {{- with $values.extraVolumeMounts }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
volumes:
  - name: config
    configMap:
      name: {{ $root.Release.Name }}
  - name: tmp
    emptyDir: {}
  {{- if and $folders (include "assay.bucket" $root) }}
  - name: state
    emptyDir: {}
  {{- end }}
  {{- range $index, $token := $values.ingest.tokens }}
  - name: tokens-{{ $index }}
    secret:
      secretName: {{ $token.secret }}
  {{- end }}
  {{- with $values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
