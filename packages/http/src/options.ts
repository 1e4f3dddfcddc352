import type { IncomingMessage } from 'node:http'
import type { BatchEffect, ObservedBatch } from '@matchyard/core'
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
 * Origin of a call, as far as it is known: the project that is charged, and values by which an operator can block
 * callers. It never contains a credential.
 */
export interface CallSource {
  /**
   * Address of the connection's peer, or the address that the outermost of the operator's own proxies saw
   * (`trustProxy`).
   */
  readonly address: string
  /** Project of the caller's valid key or game server. */
  readonly projectId?: string
  /** Id of the caller's valid API key. */
  readonly keyId?: string
  /** Account of the caller's valid session. */
  readonly accountId?: string
  /** Id of the caller, if it is a valid game server. */
  readonly instanceId?: string
  /** Id of the machine, if the caller is its agent. */
  readonly machineId?: string
}

/** A request that was answered, for metrics and access logs. */
export interface AnsweredRequest {
  /** Origin of the request. */
  readonly source: CallSource
  /** Number of bytes of the request's body, from its `content-length`; 0 if the header is missing. */
  readonly bytesIn: number
  /**
   * Length of the answer's body: characters of a text, bytes of a file. 0 for a stream, whose bytes are reported when
   * it ends.
   */
  readonly bytesOut: number
  /** Name of the operation in the permission table; undefined for a request without a route. */
  readonly operation: string | undefined
  /** Method of the request, for example `GET`. */
  readonly method: string
  /** HTTP status of the answer. */
  readonly status: number
  /** Milliseconds until the answer, without the time that the caller chose to wait for a change. */
  readonly durationMs: number
  /** Id of the request, as in the header `x-request-id`: `req_` and a ULID. */
  readonly requestId: string
  /** `traceparent` of the call's span, if the call is traced. */
  readonly traceparent?: string | undefined
}

/** An event stream that has ended. */
export interface EndedStream {
  /** Origin of the request that opened the stream. */
  readonly source: CallSource
  /** Name of the operation in the permission table. */
  readonly operation: string
  /** Id of the request, as in the header `x-request-id`: `req_` and a ULID. */
  readonly requestId: string
  /** Milliseconds from the stream's start to its end. */
  readonly durationMs: number
  /** Number of bytes that were sent to the reader. */
  readonly bytes: number
}

/** A stream that is open. */
export interface OpenStream {
  /** Origin of the request that opened the stream. */
  readonly source: CallSource
  /** Number of bytes that wait for the stream's reader. */
  readonly waitingBytes: number
}

/** Page with the metrics of the service. */
export interface MetricsPage {
  /** Resolves to the text of the page `GET /metrics`, or `GET /top`. */
  render(): Promise<string>
  /** Media type of the page. */
  readonly contentType: string
  /** Token that callers must send as `Authorization: Bearer`. Default: none, so everybody can read the page. */
  readonly token?: string
}

/** One-time codes, each of which lets its receiver sign in once. */
export interface SignInCodes {
  /** Whether only the operator of the installation gets codes. If so, `GET /` does not list codes as a way to sign in. Default: false. */
  readonly areOperatorsOnly?: boolean
  /**
   * Returns the account of a code, and marks the code as used; undefined for an unknown, expired or used code. `call`
   * is the id of a call that may be repeated: its repetitions count as the same use.
   */
  use(code: string, call: string | undefined): string | undefined | Promise<string | undefined>
}

/** A gzipped text. */
export interface Gzipped {
  /** Bytes of the gzipped text. */
  readonly gzip: Uint8Array
}

/** API keys that the interactive reference fills in. */
export interface ReferenceKeys {
  /** Value of a client key; absent: the reader enters one. */
  readonly client?: string
  /** Value of a server key; absent: the reader enters one. */
  readonly server?: string
}

/** Passes the batch of an agent to the node at a URL. Rejects with `UNAVAILABLE` when that node gives no answer. */
export type TellHolder = (
  url: string,
  told: { readonly machineId: string; readonly batch: ObservedBatch },
) => Promise<BatchEffect>

/** Options of the HTTP application. */
export interface AppOptions {
  /** Log of unexpected errors, with the id of the request. Default: none. */
  readonly logger?: Logger
  /**
   * Tracing to which the spans of calls are sent. If it is set, the `traceparent` header of a request is used as the
   * parent. Default: no tracing.
   */
  readonly tracing?: Tracing
  /** Clock of rate limits, overload checks and durations. Default: the system's clock. */
  readonly clock?: Clock
  /** Timers of stream keep-alives, late answers and overload checks. Default: the system's timers. */
  readonly timers?: Timers
  /**
   * Limiter that counts for rate limits. The nodes of an installation may share one. Default: a limiter that counts in
   * this process.
   */
  readonly limiter?: RateLimiter
  /** Rate limits of one player's calls with a client key, counted in this process. Default: no limits. */
  readonly brakes?: BrakeLimits
  /**
   * Whether calls that cause work outside the service (webhook tests, builds, launches) are limited per minute, for
   * each project or account (docs/http-api.md §2). Default: `off`.
   */
  readonly workLimits?: 'on' | 'off'
  /**
   * When calls are refused at once, with `UNAVAILABLE`, because the service is overloaded. Default: never; every call
   * is begun, even if it waited for long.
   */
  readonly admission?: AdmissionOptions
  /**
   * Number of the operator's own proxies in front of the service. The address that the outermost proxy saw counts as
   * the client's address. `true` means 1. Default: 0; the service then reads no forwarded headers.
   */
  readonly trustProxy?: boolean | number
  /** Origins whose web pages may call the control plane. Default: none. */
  readonly controlPlaneOrigins?: readonly string[]
  /**
   * Whether callers without an account may create one by `POST /v1/auth/register`. Use `closed` if unknown callers can
   * reach this service and must not run anything on it. Calls of `matchyard.accounts` by the embedding code are not
   * affected. Default: `open`, as the interface specifies.
   */
  readonly registration?: 'open' | 'closed'
  /** `off`: nobody can log in, register or join by password. Default: `on`. */
  readonly passwords?: 'on' | 'off'
  /**
   * Maximum number of accounts that one network address may register per hour. All addresses together may register 20
   * times as many. Default: 0, which means no limit.
   */
  readonly registrationsPerHour?: number
  /** One-time codes for `POST /v1/auth/code`. Default: none, and the route answers `NOT_FOUND`. */
  readonly signInCodes?: SignInCodes
  /** Address at which callers reach this service; used in upload URLs. Default: the address in the request. */
  readonly publicUrl?: string | (() => string)
  /**
   * Reads the script of the reference page (`dist/browser/standalone.js` of `@scalar/api-reference`). Default: no
   * reference page.
   */
  readonly referenceScript?: () => Promise<string | Gzipped>
  /**
   * Returns the API keys with which the reference page sends calls, for a page that was loaded from this origin. Every
   * visitor of the page sees them. Default: none, and visitors enter their own keys.
   */
  readonly referenceKeys?: (origin: string) => ReferenceKeys
  /** The page `GET /metrics`. Default: none, and the route answers `NOT_FOUND`. */
  readonly metrics?: MetricsPage
  /** The page `GET /top`. Default: none, and the route answers `NOT_FOUND`. */
  readonly top?: MetricsPage
  /**
   * Returns whether the service is shutting down. If so, `GET /readyz` reports it; all other calls are still answered.
   */
  readonly draining?: () => boolean
  /**
   * Returns the reason why an operation does not answer a request, as a sentence for the caller; undefined if the
   * operation answers. A call with a reason is `NOT_FOUND`, and neither its credential nor its body is read. `incoming`
   * is the request of Node's HTTP server, undefined on other platforms. Default: every operation answers every request.
   */
  readonly whyClosed?: (operation: string, incoming: IncomingMessage | undefined) => string | undefined
  /**
   * Passes the batch of an agent to the node at a URL, which has the agent's stream, and returns its answer. Default:
   * none; batches for other nodes are refused.
   */
  readonly tellHolder?: TellHolder
  /** Called after each answer. A stream counts as answered when it begins. */
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
  passwords: true,
  registrationsPerHour: true,
  signInCodes: true,
  publicUrl: true,
  referenceScript: true,
  referenceKeys: true,
  metrics: true,
  top: true,
  draining: true,
  whyClosed: true,
  tellHolder: true,
  onAnswer: true,
  onStreamEnd: true,
  version: true,
}

const PASSWORDS: readonly Required<AppOptions>['passwords'][] = ['on', 'off']
const REGISTRATION: readonly Required<AppOptions>['registration'][] = ['open', 'closed']

/**
 * Throws `TypeError` for an unknown option, and for a value that would allow access which the caller meant to forbid.
 */
export function requireKnown(options: AppOptions): void {
  const { trustProxy, controlPlaneOrigins = [] } = options
  requireKnownOptions('createApp', options, Object.keys(OPTIONS))
  requireOneOf('createApp', 'passwords', options.passwords, PASSWORDS)
  requireOneOf('createApp', 'registration', options.registration, REGISTRATION)
  requireWholeNumber('createApp', 'registrationsPerHour', options.registrationsPerHour)
  requireOneOf('createApp', 'workLimits', options.workLimits, ['on', 'off'])
  requireBrakes(options.brakes)
  requireAdmission(options.admission)
  if (typeof trustProxy !== 'boolean') requireWholeNumber('createApp', 'trustProxy', trustProxy)
  // `includes` of a string would also match a part of an origin.
  if (!Array.isArray(controlPlaneOrigins)) throw new TypeError('createApp: controlPlaneOrigins is an array of origins')
}

/** Timers of the platform, which never keep a process alive. */
export const SYSTEM_TIMERS: Timers = {
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    if (typeof timer === 'object') timer.unref()
    return () => clearTimeout(timer)
  },
}

const fixed = (url: string | (() => string) | undefined) => (typeof url === 'function' ? url : () => url)

const SYSTEM_CLOCK: Clock = { now: () => Date.now() }

/** Returns the options, with a default for each option that is absent. */
export const withDefaults = (options: AppOptions) => ({
  logger: unfailing(options.logger),
  tracing: options.tracing && unfailingTracing(options.tracing),
  clock: options.clock ?? SYSTEM_CLOCK,
  timers: options.timers ?? SYSTEM_TIMERS,
  limitsWork: options.workLimits === 'on',
  trustedProxies: Number(options.trustProxy ?? 0),
  controlPlaneOrigins: options.controlPlaneOrigins ?? [],
  hasPasswords: options.passwords !== 'off',
  isRegistrationOpen: (options.registration ?? 'open') === 'open',
  registrationsPerHour: options.registrationsPerHour ?? 0,
  signInCodes: options.signInCodes,
  publicUrl: fixed(options.publicUrl),
  referenceKeys: options.referenceKeys ?? (() => ({})),
  metrics: options.metrics,
  top: options.top,
  draining: options.draining ?? (() => false),
  whyClosed: options.whyClosed,
  tellHolder: options.tellHolder,
  version: options.version ?? '0.1.0',
})

export type Settings = ReturnType<typeof withDefaults>
