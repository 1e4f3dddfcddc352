import { Fault } from './setting'

export const TRACES_EXPORTERS = ['otlp', 'none'] as const
export const OTLP_PROTOCOLS = ['http/protobuf'] as const

/** Reads the address of a collector for OTLP over HTTP. */
export function collectorUrl(text: string): string | Fault {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text
  return new Fault(`${JSON.stringify(text)} is not an address; give one like http://collector:4318`)
}

interface TracingVariables {
  readonly OTEL_SDK_DISABLED: boolean
  readonly OTEL_TRACES_EXPORTER: (typeof TRACES_EXPORTERS)[number] | undefined
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: string | undefined
}

/** Whether spans are sent: an endpoint or the exporter `otlp` is set, and no variable disables tracing. */
export const isTraced = (data: TracingVariables): boolean => {
  if (data.OTEL_SDK_DISABLED || data.OTEL_TRACES_EXPORTER === 'none') return false
  const endpoint = data.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? data.OTEL_EXPORTER_OTLP_ENDPOINT
  return endpoint !== undefined || data.OTEL_TRACES_EXPORTER === 'otlp'
}
