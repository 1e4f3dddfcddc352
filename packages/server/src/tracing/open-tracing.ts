import type { Logger, Tracing } from '@matchyard/core/ports'
import { otelTracing } from './otel-tracing'
import { toldNowAndThen } from './told-now-and-then'
import { traced } from './trace-fields'

/** Tracing that goes somewhere. */
export interface OpenTracing {
  readonly tracing: Tracing
  /** The log, whose lines say of which trace they are. */
  readonly logger: Logger
  /** Sends what is still here; never rejects, and gives up soon where nobody takes it. */
  close(): Promise<void>
}

/** Milliseconds in which the last spans are sent. */
const CLOSE_WITHIN_MS = 2_000

/**
 * Sends spans by OTLP over HTTP, to where the standard variables of OpenTelemetry say (`OTEL_EXPORTER_OTLP_ENDPOINT` and its kin): the library reads
 * them by itself, samplers, batches, headers and resource attributes too. Nothing of it is loaded before.
 * Throws where its packages are not installed.
 */
export async function openTracing(
  { nodeId, version }: { readonly nodeId: string; readonly version: string },
  { logger, now }: { readonly logger: Logger; readonly now: () => number },
): Promise<OpenTracing> {
  const { api, hooks, exporter, resources, sdk } = await load()
  const tell = toldNowAndThen((message, fields) => logger.warn(message, fields), now)
  // Its messages may quote the address and the answer; the log hides text that looks like a secret.
  api.diag.setLogger(
    { error: tell, warn: tell, info: () => {}, debug: () => {}, verbose: () => {} },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  // Where another one is in place already (auto-instrumentation), that one is as good.
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
