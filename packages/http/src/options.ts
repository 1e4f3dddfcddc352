import {
  type Clock,
  type Logger,
  type NamesOf,
  requireKnownOptions,
  requireOneOf,
  requireWholeNumber,
  type Timers,
  type Tracing,
  unfailing,
  unfailingTracing,
} from '@matchyard/core/ports'
import { type AdmissionOptions, requireAdmission } from './middleware/admission'
import { type BrakeLimits, requireBrakes } from './middleware/brakes'
import type { RateLimiter } from './middleware/rate-limiter'

/** Source of a call, as far as known: the paying project and what an operator can block. Never a credential. */
export interface CallSource {
  /** The peer of the connection, or what the outermost of one's own proxies saw (`trustProxy`). */
  readonly address: string
  /** Project of a valid key or game server. */
  readonly projectId?: string
  readonly keyId?: string
  /** Account of a valid session. */
  readonly accountId?: string
  /** Id of a valid game server. */
  readonly instanceId?: string
}

/** Answered request, for metrics and access logs. */
export interface AnsweredRequest {
  readonly source: CallSource
  /** Bytes of the request's body, as they were announced; 0 where nothing was. */
  readonly bytesIn: number
  /** Length of the answer's body; 0 of a stream, whose bytes are told at its end. */
  readonly bytesOut: number
  /** The row of the permission table; undefined where no route took the request. */
  readonly operation: string | undefined
  readonly method: string
  readonly status: number
  /** Milliseconds, without those that the caller chose to wait for a change. */
  readonly durationMs: number
  readonly requestId: string
  /** `traceparent` of the call's span, where it was traced. */
  readonly traceparent?: string | undefined
}

/** A stream that ended. */
export interface EndedStream {
  readonly source: CallSource
  readonly operation: string
  readonly requestId: string
  /** Milliseconds since it began. */
  readonly durationMs: number
  /** Bytes that were sent. */
  readonly bytes: number
}

/** A stream that is open. */
export interface OpenStream {
  readonly source: CallSource
  /** Bytes that wait for its reader. */
  readonly waitingBytes: number
}

export interface MetricsPage {
  /** The text of `GET /metrics`, or of `GET /top`. */
  render(): Promise<string>
  readonly contentType: string
  /** Demanded as `Authorization: Bearer`; absent: open. */
  readonly token?: string
}

/** One-time codes that sign in the person who received one. */
export interface SignInCodes {
  /** Whether only the operator is ever shown one, so that `GET /` says nothing of them. Default: false. */
  readonly areOperatorsOnly?: boolean
  /**
   * Returns the account of a code and uses the code up; undefined for an unknown, expired or used code. `call` names a call that may be
   * repeated: its repetitions count as the same use.
   */
  use(code: string, call: string | undefined): string | undefined | Promise<string | undefined>
}

/** A text as it goes over the wire. */
export interface Gzipped {
  readonly gzip: Uint8Array
}

export interface ReferenceKeys {
  readonly client?: string
  readonly server?: string
}

export interface AppOptions {
  /** Where bugs are told, with the request id. Default: nowhere. */
  readonly logger?: Logger
  /** Where the spans of calls are told; with it `traceparent` of a request is heard. Default: nothing is traced. */
  readonly tracing?: Tracing
  /** Time for rate limits. Default: the system's. */
  readonly clock?: Clock
  /** Waiting, for keep-alives of event streams and their look at revoked keys. Default: the system's. */
  readonly timers?: Timers
  /** Where rate limits are counted. Nodes of one installation share theirs. Default: in this process. */
  readonly limiter?: RateLimiter
  /** How much one player may do in this process with a client key. Default: as much as they like. */
  readonly brakes?: BrakeLimits
  /**
   * Whether a project may make the service work outside itself only so often a minute: webhook tests, builds, launches (docs/http-api.md §2).
   * Default: `off`.
   */
  readonly workLimits?: 'on' | 'off'
  /** Refuses calls at once, with UNAVAILABLE, while there is more to do than can be done. Default: all are begun, however late. */
  readonly admission?: AdmissionOptions
  /**
   * How many proxies of one's own stand in front: the address that the outermost saw is the client's. `true` is 1. Default:
   * none, and forwarded headers are never read.
   */
  readonly trustProxy?: boolean | number
  /** Origins whose pages may call the control plane. Default: none. */
  readonly controlPlaneOrigins?: readonly string[]
  /**
   * Whether strangers may make accounts by `POST /v1/auth/register`: `closed` where they can reach this service and are not to run
   * anything on it. Calls of `matchyard.accounts` are your own and go on. Default: `open`, the interface as it is specified.
   */
  readonly registration?: 'open' | 'closed'
  /** Accounts that strangers may make from one network address in an hour, and twenty times as many from all. Default: 0, as many as they like. */
  readonly registrationsPerHour?: number
  /** Serves `POST /v1/auth/code`. Default: nobody is given a code, and it is NOT_FOUND. */
  readonly signInCodes?: SignInCodes
  /** Where callers reach this service, for upload URLs. Default: the address that the request named. */
  readonly publicUrl?: string | (() => string)
  /** Reads the script of the reference page (`dist/browser/standalone.js` of `@scalar/api-reference`). Default: no page. */
  readonly referenceScript?: () => Promise<string | Gzipped>
  /**
   * Keys with which the reference page tries calls, where it was reached by this origin: only keys that every visitor of the page may have.
   * Default: none, and visitors use their own.
   */
  readonly referenceKeys?: (origin: string) => ReferenceKeys
  /** Serves `GET /metrics`. Default: not there. */
  readonly metrics?: MetricsPage
  /** Serves `GET /top`. Default: not there. */
  readonly top?: MetricsPage
  /** Whether the service is on its way out: `GET /readyz` then says so, and everything else is still answered. */
  readonly draining?: () => boolean
  /** Called after each answer; a stream counts as answered when it begins. */
  readonly onAnswer?: (request: AnsweredRequest) => void
  /** Called after each stream that ends. */
  readonly onStreamEnd?: (stream: EndedStream) => void
  /** The service's version, for the OpenAPI document. */
  readonly version?: string
}

const OPTIONS: NamesOf<AppOptions> = {
  logger: true,
  tracing: true,
  clock: true,
  timers: true,
  limiter: true,
  brakes: true,
  workLimits: true,
  admission: true,
  trustProxy: true,
  controlPlaneOrigins: true,
  registration: true,
  registrationsPerHour: true,
  signInCodes: true,
  publicUrl: true,
  referenceScript: true,
  referenceKeys: true,
  metrics: true,
  top: true,
  draining: true,
  onAnswer: true,
  onStreamEnd: true,
  version: true,
}

const REGISTRATION: readonly Required<AppOptions>['registration'][] = ['open', 'closed']

/** Throws TypeError for an option that nobody knows, and for a value by which a door would stand open that was to be shut. */
export function requireKnown(options: AppOptions): void {
  const { trustProxy, controlPlaneOrigins = [] } = options
  requireKnownOptions('createApp', options, Object.keys(OPTIONS))
  requireOneOf('createApp', 'registration', options.registration, REGISTRATION)
  requireWholeNumber('createApp', 'registrationsPerHour', options.registrationsPerHour)
  requireOneOf('createApp', 'workLimits', options.workLimits, ['on', 'off'])
  requireBrakes(options.brakes)
  requireAdmission(options.admission)
  if (typeof trustProxy !== 'boolean') requireWholeNumber('createApp', 'trustProxy', trustProxy)
  // A text instead of an array would match every part of an origin.
  if (!Array.isArray(controlPlaneOrigins)) throw new TypeError('createApp: controlPlaneOrigins is an array of origins')
}

/** Timers of the platform that never keep a process alive. */
export const SYSTEM_TIMERS: Timers = {
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    if (typeof timer === 'object') timer.unref()
    return () => clearTimeout(timer)
  },
}

const fixed = (url: string | (() => string) | undefined) => (typeof url === 'function' ? url : () => url)

const SYSTEM_CLOCK: Clock = { now: () => Date.now() }

/** The options, each with its default. */
export const withDefaults = (options: AppOptions) => ({
  logger: unfailing(options.logger),
  tracing: options.tracing && unfailingTracing(options.tracing),
  clock: options.clock ?? SYSTEM_CLOCK,
  timers: options.timers ?? SYSTEM_TIMERS,
  limitsWork: options.workLimits === 'on',
  trustedProxies: Number(options.trustProxy ?? 0),
  controlPlaneOrigins: options.controlPlaneOrigins ?? [],
  isRegistrationOpen: (options.registration ?? 'open') === 'open',
  registrationsPerHour: options.registrationsPerHour ?? 0,
  signInCodes: options.signInCodes,
  publicUrl: fixed(options.publicUrl),
  referenceKeys: options.referenceKeys ?? (() => ({})),
  metrics: options.metrics,
  top: options.top,
  draining: options.draining ?? (() => false),
  version: options.version ?? '0.1.0',
})

export type Settings = ReturnType<typeof withDefaults>
