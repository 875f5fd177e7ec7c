{{/* The content of assay.yaml: `config`, with the address of metrics and health, and the tokens of Secrets. */}}
{{- define "assay.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- if not .Values.kafka.enabled -}}
{{- $_ := set $config "kafka" (pick (default dict $config.kafka) "group_id" "from" "on_gap") -}}
{{- end -}}
{{- $expose := printf "0.0.0.0:%d" (add1 (int $config.http.port)) -}}
{{- $_ := set $config.http "expose" (default $expose $config.http.expose) -}}
{{- range $index, $token := .Values.ingest.tokens -}}
{{- $file := printf "/etc/assay-tokens/%d/%s" $index (default "tokens" $token.key) -}}
{{- $entry := dict "file" $file "rights" (default (list "write") $token.rights) -}}
{{- $ingest := default dict $config.ingest -}}
{{- $_ := set $config "ingest" (set $ingest "tokens" (append (default list $ingest.tokens) $entry)) -}}
{{- end -}}
{{- toYaml $config -}}
{{- end }}

{{- define "assay.httpPort" -}}
{{ int .Values.config.http.port }}
{{- end }}

{{/* Metrics and health have a port of their own: whoever may scrape does not see the page. */}}
{{- define "assay.metricsPort" -}}
{{ regexFind "[0-9]+$" (include "assay.config" . | fromYaml).http.expose }}
{{- end }}

{{- define "assay.bucket" -}}
{{- if hasPrefix "s3://" .Values.config.state.dir }}true{{ end -}}
{{- end }}

{{/* Folders that are written, by their name on the volume; one that an own volume is mounted at is left to it. */}}
{{- define "assay.folders" -}}
{{- $config := .Values.config -}}
{{- $paths := dict "state" $config.state.dir "cache" $config.state.cache "snapshots" (default dict $config.snapshots).dir -}}
{{- $mounted := list -}}
{{- range .Values.extraVolumeMounts }}{{ $mounted = append $mounted .mountPath }}{{ end -}}
{{- $folders := dict -}}
{{- range $name, $path := $paths -}}
{{- if and $path (not (hasPrefix "s3://" $path)) (not (has $path $mounted)) }}{{ $_ := set $folders $name $path }}{{ end -}}
{{- end -}}
{{- toYaml $folders -}}
{{- end }}

{{/* `grace` to finish the batch, checkpoint and leave the group, and 10 s to end. */}}
{{- define "assay.secondsToStop" -}}
{{- $number := regexFind "^[0-9]+" .Values.config.grace | int64 -}}
{{- $milliseconds := get (dict "ms" 1 "s" 1000 "m" 60000 "h" 3600000 "d" 86400000) (regexFind "[a-z]+$" .Values.config.grace) -}}
{{- add 10 (div (add 999 (mul $number $milliseconds)) 1000) -}}
{{- end }}

{{/* Ports of the brokers, each once. */}}
{{- define "assay.brokerPorts" -}}
{{- $ports := list -}}
{{- if .Values.kafka.enabled }}{{ range .Values.config.kafka.brokers }}{{ $ports = append $ports (regexFind "[0-9]+$" . | int) }}{{ end }}{{ end -}}
{{- toYaml (uniq $ports) -}}
{{- end }}

{{/* Variables of keys that the pods are made from. */}}
{{- define "assay.derivedVariables" -}}
- ASSAY_HTTP__HOST
- ASSAY_HTTP__PORT
- ASSAY_HTTP__EXPOSE
- ASSAY_GRACE
- ASSAY_STATE__DIR
- ASSAY_STATE__CACHE
- ASSAY_SNAPSHOTS__DIR
- ASSAY_INGEST__TOKENS
- ASSAY_KAFKA__BROKERS
- ASSAY_KAFKA__TOPICS
{{- end }}

{{/* Secrets among the keys of config.kafka. */}}
{{- define "assay.secretKeys" -}}
- ssl.key
- ssl.passphrase
- sasl.password
- sasl.client_secret
- schema_registry.password
{{- end }}

{{/* Refuses by name what cannot work. */}}
{{- define "assay.checks" -}}
{{- $config := include "assay.config" . | fromYaml -}}
{{- $bucket := include "assay.bucket" . -}}
{{- $brokers := (default dict .Values.config.kafka).brokers }}
{{- if and .Values.kafka.enabled (not $brokers) }}
{{- fail "config.kafka.brokers: names no broker; name one, or set kafka.enabled: false for the log inside" }}
{{- end }}
{{- if not .Values.kafka.enabled }}
{{- /* Those of values.yaml were not set by anybody. */}}
{{- if and $brokers (ne (toString $brokers) "[kafka:9092]") }}
{{- fail "config.kafka.brokers: names brokers, but kafka.enabled is false; leave one of them out" }}
{{- end }}
{{- if $bucket }}
{{- fail "config.state.dir: is a bucket, but kafka.enabled is false: the log inside needs a folder, such as /var/lib/assay/state" }}
{{- end }}
{{- if gt (int .Values.replicas) 1 }}
{{- fail "replicas: kafka.enabled is false, and the log inside is of one pod; set replicas: 1, or name brokers" }}
{{- end }}
{{- end }}
{{- $taken := or (not .Values.kafka.enabled) (default dict $config.ingest).to }}
{{- if and $taken (not (default dict $config.ingest).tokens) (not $config.http.web_config) }}
{{- fail "ingest.tokens: nobody could send; name a Secret with tokens, such as [{secret: assay-writers}], or a file of users in config.http.web_config" }}
{{- end }}
{{- if and (not $bucket) (gt (int .Values.replicas) 1) }}
{{- fail "replicas: several share their state; set config.state.dir to s3://bucket/prefix" }}
{{- end }}
{{- if and (not $bucket) .Values.view.enabled }}
{{- fail "view.enabled: reads the checkpoints of all pods; set config.state.dir to s3://bucket/prefix" }}
{{- end }}
{{- if regexMatch "^(127\\.|localhost$|\\[?::1)" $config.http.host }}
{{- fail (printf "config.http.host: the Service does not reach %s; leave it out" $config.http.host) }}
{{- end }}
{{- if regexMatch "^(127\\.|localhost:|\\[?::1)" $config.http.expose }}
{{- fail (printf "config.http.expose: probes and Prometheus do not reach %s; leave it out" $config.http.expose) }}
{{- end }}
{{- range include "assay.secretKeys" . | fromYamlArray }}
{{- $key := splitList "." . }}
{{- $section := get (default dict $config.kafka) (index $key 0) }}
{{- if and (kindIs "map" $section) (get $section (index $key 1)) }}
{{- fail (printf "config.kafka.%s: a ConfigMap is no place for a secret; leave it out, and set ASSAY_KAFKA__%s in env by valueFrom" . (. | upper | replace "." "__")) }}
{{- end }}
{{- end }}
{{- if eq (include "assay.httpPort" .) (include "assay.metricsPort" .) }}
{{- fail "config.http.expose: has the port of config.http.port; give it another" }}
{{- end }}
{{- range $name, $path := include "assay.folders" . | fromYaml }}
{{- if not (hasPrefix "/" $path) }}
{{- fail (printf "config: folder %s of %s is relative; begin it with /" $path $name) }}
{{- end }}
{{- if and $bucket (eq $name "snapshots") }}
{{- fail "config.snapshots.dir: is a folder, and pods on a bucket have no volume; set s3://bucket/prefix, or mount a volume there (extraVolumeMounts)" }}
{{- end }}
{{- end }}
{{- $derived := include "assay.derivedVariables" . | fromYamlArray }}
{{- range .Values.env }}
{{- if has (upper .name | trimSuffix "_FILE") $derived }}
{{- fail (printf "env: %s: pods are made from this key; set it in config" .name) }}
{{- end }}
{{- end }}
{{- end }}
