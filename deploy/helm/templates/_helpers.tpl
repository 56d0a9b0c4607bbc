{{- define "worksmith.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{- define "worksmith.selector" -}}
app.kubernetes.io/name: worksmith
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "worksmith.labels" -}}
{{ include "worksmith.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "worksmith.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "worksmith.secret" -}}
{{- required "Set secret to the name of a secret with DATABASE_URL, JWT_SECRET and PEPPER." .Values.secret -}}
{{- end }}

{{/* The settings that are not secret; empty ones keep their defaults. */}}
{{- define "worksmith.env" -}}
- name: NODE_ENV
  value: production
{{- range $name, $value := .Values.settings }}
{{- if ne (toString $value) "" }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
{{- end }}

{{/* A user without rights, who can write only to its folder of temporary files. */}}
{{- define "worksmith.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "worksmith.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}
