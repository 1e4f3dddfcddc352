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

/**
 * Source of a call, as far as known: the project that pays, and the values by which an operator can block callers. It
 * never holds a credential.
 */
export interface CallSource {
  /**
   * Address of the connection's peer, or the address that the outermost of the operator's own proxies saw
   * (`trustProxy`).
   */
  readonly address: string
  /** Project of a valid key or game server. */
  readonly projectId?: string
  readonly keyId?: string
  /** Account of a valid session. */
  readonly accountId?: string
  /** Id of a valid game server. */
  readonly instanceId?: string
}

/** An answered request, for metrics and access logs. */
export interface AnsweredRequest {
  readonly source: CallSource
  /** Announced bytes of the request's body; 0 without a `content-length`. */
  readonly bytesIn: number
  /**
   * Length of the answer's body: characters of a text, bytes of a file. 0 for a stream, whose bytes are reported at its
   * end.
   */
  readonly bytesOut: number
  /** Row of the permission table; undefined for a request without a route. */
  readonly operation: string | undefined
  readonly method: string
  readonly status: number
  /** Milliseconds until the answer, without the time that the caller chose to wait for a change. */
  readonly durationMs: number
  readonly requestId: string
  /** `traceparent` of the call's span, if the call was traced. */
  readonly traceparent?: string | undefined
}

/** A stream that ended. */
export interface EndedStream {
  readonly source: CallSource
  readonly operation: string
  readonly requestId: string
  /** Milliseconds from the stream's start to its end. */
  readonly durationMs: number
  /** Bytes sent to the reader. */
  readonly bytes: number
}

/** A stream that is open. */
export interface OpenStream {
  readonly source: CallSource
  /** Bytes that wait for the stream's reader. */
  readonly waitingBytes: number
}

export interface MetricsPage {
  /** Resolves to the text of `GET /metrics`, or of `GET /top`. */
  render(): Promise<string>
  readonly contentType: string
  /** Token that callers must send as `Authorization: Bearer`. Default: none, and everybody can read the page. */
  readonly token?: string
}

/** One-time codes, each of which signs in its receiver. */
export interface SignInCodes {
  /** Whether only the operator receives codes, so that `GET /` does not mention them. Default: false. */
  readonly areOperatorsOnly?: boolean
  /**
   * Returns the account of a code and uses the code up; undefined for an unknown, expired or used code. `call`
   * identifies a call that may be repeated: its repetitions count as the same use.
   */
  use(code: string, call: string | undefined): string | undefined | Promise<string | undefined>
}

/** A gzipped text. */
export interface Gzipped {
  readonly gzip: Uint8Array
}

export interface ReferenceKeys {
  readonly client?: string
  readonly server?: string
}

export interface AppOptions {
  /** Log of unexpected errors, with the request id. Default: none. */
  readonly logger?: Logger
  /**
   * Receiver of the spans of calls. With it, the `traceparent` header of a request is used as the parent. Default: no
   * tracing.
   */
  readonly tracing?: Tracing
  /** Clock of rate limits, overload checks and durations. Default: the system's. */
  readonly clock?: Clock
  /** Timers of stream keep-alives, late answers and overload checks. Default: the system's. */
  readonly timers?: Timers
  /** Counter of rate limits. Nodes of one installation share one. Default: a counter in this process. */
  readonly limiter?: RateLimiter
  /** Limits of one player's calls with a client key, counted in this process. Default: no limits. */
  readonly brakes?: BrakeLimits
  /**
   * Whether calls that make the service work outside itself are limited per minute, for each project or account:
   * webhook tests, builds, launches (docs/http-api.md §2). Default: `off`.
   */
  readonly workLimits?: 'on' | 'off'
  /**
   * Refuses calls at once, with `UNAVAILABLE`, while the service is overloaded. Default: every call is begun, however
   * late.
   */
  readonly admission?: AdmissionOptions
  /**
   * Number of the operator's own proxies in front of the service: the address that the outermost of them saw is the
   * client's. `true` means 1. Default: 0, and forwarded headers are never read.
   */
  readonly trustProxy?: boolean | number
  /** Origins whose web pages may call the control plane. Default: none. */
  readonly controlPlaneOrigins?: readonly string[]
  /**
   * Whether strangers may create accounts by `POST /v1/auth/register`. Use `closed` if strangers can reach this service
   * and must not run anything on it. Calls of `matchyard.accounts` by the embedding code are not affected. Default:
   * `open`, as the interface specifies.
   */
  readonly registration?: 'open' | 'closed'
  /**
   * Accounts that strangers may create per hour from one network address; 20 times as many from all addresses together.
   * Default: 0, which means no limit.
   */
  readonly registrationsPerHour?: number
  /** Codes of `POST /v1/auth/code`. Default: none, and the route answers `NOT_FOUND`. */
  readonly signInCodes?: SignInCodes
  /** Address at which callers reach this service, for upload URLs. Default: the address in the request. */
  readonly publicUrl?: string | (() => string)
  /**
   * Reads the script of the reference page (`dist/browser/standalone.js` of `@scalar/api-reference`). Default: no
   * reference page.
   */
  readonly referenceScript?: () => Promise<string | Gzipped>
  /**
   * Returns the API keys with which the reference page tries calls, for a page that was loaded from this origin. Every
   * visitor of the page sees them. Default: none, and visitors enter their own keys.
   */
  readonly referenceKeys?: (origin: string) => ReferenceKeys
  /** Page of `GET /metrics`. Default: none, and the route answers `NOT_FOUND`. */
  readonly metrics?: MetricsPage
  /** Page of `GET /top`. Default: none, and the route answers `NOT_FOUND`. */
  readonly top?: MetricsPage
  /** Returns whether the service is shutting down. `GET /readyz` then says so; all other calls are still answered. */
  readonly draining?: () => boolean
  /** Called after each answer; a stream counts as answered when it begins. */
  readonly onAnswer?: (request: AnsweredRequest) => void
  /** Called after each stream that ends. */
  readonly onStreamEnd?: (stream: EndedStream) => void
  /** Version of the service in the OpenAPI document. */
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

/** Throws `TypeError` for an unknown option, and for a value that would open an access which was meant to be closed. */
export function requireKnown(options: AppOptions): void {
  const { trustProxy, controlPlaneOrigins = [] } = options
  requireKnownOptions('createApp', options, Object.keys(OPTIONS))
  requireOneOf('createApp', 'registration', options.registration, REGISTRATION)
  requireWholeNumber('createApp', 'registrationsPerHour', options.registrationsPerHour)
  requireOneOf('createApp', 'workLimits', options.workLimits, ['on', 'off'])
  requireBrakes(options.brakes)
  requireAdmission(options.admission)
  if (typeof trustProxy !== 'boolean') requireWholeNumber('createApp', 'trustProxy', trustProxy)
  // `includes` of a string would match every part of an origin.
  if (!Array.isArray(controlPlaneOrigins)) throw new TypeError('createApp: controlPlaneOrigins is an array of origins')
}

/** Timers of the platform. They never keep a process alive. */
export const SYSTEM_TIMERS: Timers = {
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    if (typeof timer === 'object') timer.unref()
    return () => clearTimeout(timer)
  },
}

const fixed = (url: string | (() => string) | undefined) => (typeof url === 'function' ? url : () => url)

const SYSTEM_CLOCK: Clock = { now: () => Date.now() }

/** Returns the options, with a default for each that is absent. */
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
