{{- define "matchyard.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "matchyard.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "matchyard.labels" -}}
{{ include "matchyard.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "matchyard.image" -}}
{{ required "image.repository: name the image that you built from examples/self-hosting/Dockerfile" .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "matchyard.secretName" -}}
{{- if .Values.secret.existing }}{{ .Values.secret.existing }}{{ else }}{{ include "matchyard.name" . }}{{ end }}
{{- end }}

{{- /* What a secret of the chart's own must have; a secret that exists is not looked into. */ -}}
{{- define "matchyard.checkSecret" -}}
{{- $values := .Values.secret.values }}
{{- range $name := list "MATCHYARD_SECRET" "DATABASE_URL" }}
{{- if not (index $values $name) }}
{{- fail (printf "secret.values.%s is not set; give it, or name a secret that has it as secret.existing" $name) }}
{{- end }}
{{- end }}
{{- if not (regexMatch "^postgres(ql)?://" $values.DATABASE_URL) }}
{{- fail "secret.values.DATABASE_URL: pods share a database, so it is postgres://…" }}
{{- end }}
{{- if and .Values.monitoring.enabled (not $values.METRICS_TOKEN) }}
{{- fail "secret.values.METRICS_TOKEN is not set; monitoring reads /metrics with it: draw one with openssl rand -hex 24" }}
{{- end }}
{{- end }}

{{- define "matchyard.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "matchyard.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- /* A value of the environment; a large number stays one, and does not become 4.2e+09. */ -}}
{{- define "matchyard.variable" -}}
{{- if kindIs "string" . }}{{ . | quote }}{{ else }}{{ . | toJson | quote }}{{ end }}
{{- end }}
