import type { Matchyard } from '@matchyard/core'
import { quietly } from '@matchyard/core/ports'
import { AgentPlaces } from './agents/places'
import type { ErrorPages } from './error-pages/error-pages'
import { onceMade, type SharedFile, sharedFile } from './files'
import { Admission } from './middleware/admission'
import { Brakes } from './middleware/brakes'
import { FailureThrottle } from './middleware/failure-throttle'
import { KnownCallers } from './middleware/known-callers'
import { LateAnswers } from './middleware/late-answers'
import { memoryRateLimiter, type RateLimiter } from './middleware/rate-limiter'
import { Returning } from './middleware/returning'
import { type AnsweredRequest, type AppOptions, type EndedStream, type Settings, withDefaults } from './options'
import { OpenStreams } from './sse/open-streams'
import { OpenWaits } from './sse/open-waits'
import { Turns } from './turns'

/** Objects that every route can use, besides the embedded Matchyard itself. */
export interface Services extends Settings {
  readonly matchyard: Matchyard
  readonly limiter: RateLimiter
  /** Limits on the calls of one player; undefined without such limits. */
  readonly brakes: Brakes | undefined
  /** Decides which calls are refused under overload; undefined if every call is begun. */
  readonly admission: Admission | undefined
  /** Queue of calls that wait to be begun. */
  readonly turns: Turns
  /** Recently valid credentials with their owners, which are known before a credential is checked. */
  readonly callers: KnownCallers
  readonly throttle: FailureThrottle
  /** Addresses from which each account has logged in before. */
  readonly returning: Returning
  readonly streams: OpenStreams
  readonly waits: OpenWaits
  /** Places of the agents on this node. */
  readonly agents: AgentPlaces
  /** Script of the reference page, gzipped and read once; undefined if there is no such page. */
  readonly referenceScript: (() => Promise<Uint8Array<ArrayBuffer>>) | undefined
  /** Reports an answered request; never throws. */
  readonly onAnswer: (request: AnsweredRequest) => void
  /** Reports a stream that ended; never throws. */
  readonly onStreamEnd: (stream: EndedStream) => void
  /** The OpenAPI document as JSON. */
  readonly document: SharedFile
  /** Returns the pages of all error codes, made at the first request. */
  readonly errorPages: () => ErrorPages
  /** Rendered error pages, by media type and error code. */
  readonly writtenPages: Map<string, string>
}

/** Documents that are made from all routes, when they are first requested. */
type OfRoutes = Pick<Services, 'document' | 'errorPages'>

export function createServices(matchyard: Matchyard, options: AppOptions, ofRoutes: OfRoutes): Services {
  const settings = withDefaults(options)
  const { logger, clock, timers, trustedProxies } = settings
  const limiter = options.limiter ?? memoryRateLimiter(clock)
  const turns = new Turns(clock)
  return {
    ...settings,
    ...ofRoutes,
    matchyard,
    limiter,
    brakes: options.brakes && new Brakes(options.brakes, clock),
    admission: options.admission && new Admission(options.admission, clock, timers, turns),
    turns,
    callers: new KnownCallers(trustedProxies),
    throttle: new FailureThrottle(limiter, new LateAnswers(timers)),
    returning: new Returning(),
    streams: new OpenStreams(timers),
    waits: new OpenWaits(),
    agents: new AgentPlaces(clock),
    referenceScript: packedScript(options.referenceScript),
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
