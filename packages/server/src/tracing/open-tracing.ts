import type { Logger, Tracing } from '@matchyard/core/ports'
import { otelTracing } from './otel-tracing'
import { toldNowAndThen } from './told-now-and-then'
import { traced } from './trace-fields'

/** Tracing that sends spans to a collector. */
export interface OpenTracing {
  readonly tracing: Tracing
  /** Log whose lines contain the ids of the current trace and span. */
  readonly logger: Logger
  /** Sends the remaining spans. Never rejects, and stops waiting after 2,000 milliseconds. */
  close(): Promise<void>
}

/** Milliseconds within which the last spans are sent. */
const CLOSE_WITHIN_MS = 2_000

/**
 * Starts tracing: spans are sent by OTLP over HTTP. OpenTelemetry's library itself reads its standard variables
 * (`OTEL_EXPORTER_OTLP_ENDPOINT` and others), also those of samplers, batches, headers and resource attributes. Only
 * this function loads the library. Rejects when the library's packages are not installed.
 */
export async function openTracing(
  { nodeId, version }: { readonly nodeId: string; readonly version: string },
  { logger, now }: { readonly logger: Logger; readonly now: () => number },
): Promise<OpenTracing> {
  const { api, hooks, exporter, resources, sdk } = await load()
  const tell = toldNowAndThen((message, fields) => logger.warn(message, fields), now)
  // Messages of the library may quote the collector's address and answer; the log hides text that looks like a secret.
  api.diag.setLogger(
    { error: tell, warn: tell, info: () => {}, debug: () => {}, verbose: () => {} },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  // The call has no effect if auto-instrumentation has set a context manager already. That context manager works as
  // well.
  api.context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable())
  const own = { 'service.name': 'matchyard', 'service.version': version, 'service.instance.id': nodeId }
  const provider = new sdk.BasicTracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes(own))
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter())],
  })
  const tracing = otelTracing(api, provider.getTracer('matchyard', version))
  return {
    tracing,
    logger: traced(logger, () => tracing.current()),
    async close() {
      let late: NodeJS.Timeout | undefined
      const lost = new Promise<void>((resolve) => {
        late = setTimeout(resolve, CLOSE_WITHIN_MS)
      })
      await Promise.race([provider.shutdown().catch(tell), lost])
      clearTimeout(late)
    },
  }
}

async function load() {
  try {
    const [api, hooks, exporter, resources, sdk] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace-base'),
    ])
    return { api, hooks, exporter, resources, sdk }
  } catch (cause) {
    throw new Error(
      'OTEL_EXPORTER_OTLP_ENDPOINT turns on traces, which need packages that are not installed; install beside this one: ' +
        '@opentelemetry/api @opentelemetry/context-async-hooks @opentelemetry/exporter-trace-otlp-proto ' +
        '@opentelemetry/resources @opentelemetry/sdk-trace-base (docs/tracing.md has their versions)',
      { cause },
    )
  }
}
