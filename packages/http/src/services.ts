import type { Matchyard } from '@matchyard/core'
import { type Clock, type Logger, quietly, type Timers, type Tracing, unfailingTracing } from '@matchyard/core/ports'
import type { ErrorPages } from './error-pages/error-pages'
import { onceMade, type SharedFile, sharedFile } from './files'
import { Admission } from './middleware/admission'
import { Brakes } from './middleware/brakes'
import { FailureThrottle } from './middleware/failure-throttle'
import { KnownCallers } from './middleware/known-callers'
import { LateAnswers } from './middleware/late-answers'
import { memoryRateLimiter, type RateLimiter } from './middleware/rate-limiter'
import { Returning } from './middleware/returning'
import { type AnsweredRequest, type AppOptions, type EndedStream, type MetricsPage, withDefaults } from './options'
import { OpenStreams } from './sse/open-streams'
import { OpenWaits } from './sse/open-waits'
import { Turns } from './turns'

/** What every route may lean on beside the embeddable object. */
export interface Services {
  readonly matchyard: Matchyard
  readonly logger: Logger
  /** Undefined where nobody traces. */
  readonly tracing: Tracing | undefined
  readonly clock: Clock
  readonly timers: Timers
  readonly limiter: RateLimiter
  /** Undefined where nobody is braked. */
  readonly brakes: Brakes | undefined
  /** Whether what makes work outside the service is limited. */
  readonly limitsWork: boolean
  /** Undefined where every call is begun. */
  readonly admission: Admission | undefined
  /** When calls are begun. */
  readonly turns: Turns
  /** Whose calls are, before their credentials are judged. */
  readonly callers: KnownCallers
  readonly throttle: FailureThrottle
  /** Who signed in from where before. */
  readonly returning: Returning
  /** Accounts that one address may make in an hour; 0 is no limit. */
  readonly registrationsPerHour: number
  readonly streams: OpenStreams
  readonly waits: OpenWaits
  readonly trustedProxies: number
  readonly controlPlaneOrigins: readonly string[]
  readonly isRegistrationOpen: boolean
  readonly signInCodes: AppOptions['signInCodes']
  readonly publicUrl: () => string | undefined
  readonly metrics: MetricsPage | undefined
  readonly top: MetricsPage | undefined
  /** The script of the reference page, gzipped, read once; undefined where there is no such page. */
  readonly referenceScript: (() => Promise<Uint8Array<ArrayBuffer>>) | undefined
  readonly referenceKeys: NonNullable<AppOptions['referenceKeys']>
  readonly draining: () => boolean
  /** Never throws: what is answered is done. */
  readonly onAnswer: (request: AnsweredRequest) => void
  /** Never throws. */
  readonly onStreamEnd: (stream: EndedStream) => void
  readonly version: string
  /** The OpenAPI document as JSON. */
  readonly document: SharedFile
  /** What is said of every error code: made once, when somebody asks. */
  readonly errorPages: () => ErrorPages
  /** Pages as they were written, by media type and path. */
  readonly writtenPages: Map<string, string>
}

/** What is made of all routes, when somebody asks. */
type OfRoutes = Pick<Services, 'document' | 'errorPages'>

export function createServices(matchyard: Matchyard, options: AppOptions, ofRoutes: OfRoutes): Services {
  const { logger, clock, timers, trustedProxies, controlPlaneOrigins, isRegistrationOpen, publicUrl, version } =
    withDefaults(options)
  const limiter = options.limiter ?? memoryRateLimiter(clock)
  const turns = new Turns(clock)
  return {
    matchyard,
    logger,
    tracing: options.tracing && unfailingTracing(options.tracing),
    clock,
    timers,
    limiter,
    limitsWork: options.workLimits === 'on',
    brakes: options.brakes === undefined ? undefined : new Brakes(options.brakes, clock),
    admission: options.admission === undefined ? undefined : new Admission(options.admission, clock, timers, turns),
    turns,
    callers: new KnownCallers(trustedProxies),
    throttle: new FailureThrottle(limiter, new LateAnswers(timers)),
    returning: new Returning(),
    registrationsPerHour: options.registrationsPerHour ?? 0,
    streams: new OpenStreams(timers),
    waits: new OpenWaits(),
    trustedProxies,
    controlPlaneOrigins,
    isRegistrationOpen,
    signInCodes: options.signInCodes,
    publicUrl,
    metrics: options.metrics,
    top: options.top,
    referenceScript: packedScript(options.referenceScript),
    referenceKeys: options.referenceKeys ?? (() => ({})),
    draining: options.draining ?? (() => false),
    version,
    onAnswer: (request) =>
      quietly(
        () => options.onAnswer?.(request),
        (error) => logger.error('telling of an answer failed', { error: String(error) }),
      ),
    onStreamEnd: (stream) =>
      quietly(
        () => options.onStreamEnd?.(stream),
        (error) => logger.error('telling of a stream failed', { error: String(error) }),
      ),
    ...ofRoutes,
    writtenPages: new Map(),
  }
}

function packedScript(load: AppOptions['referenceScript']): Services['referenceScript'] {
  if (load === undefined) return undefined
  return onceMade(async () => {
    const script = await load()
    return typeof script === 'string' ? sharedFile(() => script).packed() : new Uint8Array(script.gzip)
  })
}
