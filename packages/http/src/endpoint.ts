import type { Caller, CallOptions, ClientWord, ErrorCode, Matchyard } from '@matchyard/core'
import type { Exchange } from './exchange/exchange'
import type { KeyOwner } from './middleware/idempotency'
import { OPERATIONS, type Operation } from './operations'
import type { CallSource } from './options'
import type { Services } from './services'
import type { AnyAnswer, AnyBody, BodyCodec, SentBy, ToldBy } from './wire/codec/index'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

type ParamName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamName<Rest>
  : never

/** Values of a path's parameters, by parameter name. */
export type ParamsOf<Path extends string> = { readonly [Name in ParamName<Path>]: string }

/** One call, with all its data read and checked in the order of docs/http-api.md §1. */
export interface Call<Params, Query, Body> {
  readonly matchyard: Matchyard
  readonly services: Services
  readonly operation: Operation
  /** Caller of the request; undefined if the operation needs no credential. */
  readonly caller: Caller | undefined
  /** Origin of the call, for logs. */
  readonly source: CallSource
  readonly playerId: string | undefined
  /** Values of trusted fields that the player token proves; set when a player's client makes the call. */
  readonly client: ClientWord | undefined
  /** Time at which the caller's access expires. A stream that the call opened ends at that time. */
  readonly until: number | undefined
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** Options of a change: its idempotency key. */
  readonly options: CallOptions
  readonly requestId: string
  /**
   * Milliseconds for which the call waited because the caller asked it to wait. They do not count as duration of the
   * call.
   */
  readonly waited: { ms: number }
  /** Headers of the answer or the refusal; a handler may add to them. */
  readonly headers: Record<string, string>
  readonly exchange: Exchange
}

/** Status and body of a successful answer. If there is no codec, the answer has no body. */
export interface Success<Answer = AnyAnswer> {
  readonly status: 200 | 201 | 202 | 204 | 206
  readonly description: string
  readonly answer?: Answer
  /** Whether the value is a page of a list. The envelope of a page contains the offset at which the page begins. */
  readonly isPage?: true
  /** Media type of a body that is not JSON. */
  readonly mediaType?: string
  /** Data of the events, for a route that answers with a stream when the caller asks for one. */
  readonly events?: AnyAnswer
}

/** Result of a handler that answers with the second form of success (`otherwise`) of its route. */
export class Otherwise<Value = undefined> {
  constructor(readonly value: Value) {}
}

interface Spec<Path extends string, Query extends AnyBody, Body extends AnyBody, Answer extends AnyAnswer> {
  /** Operation of the route. The operation's name selects the facts about its callers, fields and refusals. */
  readonly operation: Operation
  readonly method: Method
  /** Path in OpenAPI's notation: `/v1/lobbies/{lobby_id}`. */
  readonly path: Path
  readonly summary: string
  readonly query?: Query
  /** Codec of the body. If it is missing, the body must be empty or `{}`. */
  readonly body?: Body
  /** Whether an empty body counts as `{}`. */
  readonly bodyOptional?: boolean
  /** Maximum bytes of the JSON body. Default: 64 kB. */
  readonly maxBodyBytes?: number
  /** Whether the answer may be too large for memory. Such an answer is sent chunk by chunk. */
  readonly isLongAnswer?: true
  /** Whether a repeated call changes nothing, so that the operation takes no idempotency key. */
  readonly isRepeatable?: true
  /** Media type of a body that is not JSON, for build uploads. The handler reads the body. */
  readonly rawBody?: { readonly mediaType: string; readonly description: string }
  readonly success: Success<Answer>
  /**
   * Second form of success. A handler selects it by returning `new Otherwise(value)`. It has another status, and the
   * same body or no body.
   */
  readonly otherwise?: { readonly status: Success['status']; readonly description: string }
  /**
   * Throws when this installation does not offer the operation. Runs after the check of the credential, and before the
   * rest of the request is checked.
   */
  readonly requireOffered?: (services: Services) => void
  /**
   * Returns the owner of the idempotency key, for calls whose owner is not the credential: calls without a credential,
   * and calls about the credential itself.
   */
  readonly keyOwner?: KeyOwner
  /** Codes of refusals of the route itself, in addition to those of the operation and of every route. */
  readonly errors?: readonly ErrorCode[]
  /**
   * Returns the result of the call with the domain's field names, or a whole response. If `handle` is missing, the
   * route calls its operation with the input, and answers with the operation's result.
   */
  handle?(
    call: Call<ParamsOf<Path>, SentBy<Query>, SentBy<Body>>,
  ): Promise<ToldBy<Answer> | Otherwise<ToldBy<Answer> | undefined> | Response>
}

/** A route as a value, from which both the server and the documentation are made. */
export type Endpoint = Omit<Spec<string, AnyBody, AnyBody, AnyAnswer>, 'handle' | 'errors'> & {
  /** Codes of refusals of the operation and the route, in addition to those of every route. */
  readonly errors: readonly ErrorCode[]
  readonly handle?: Handler
}
export type Handler = (call: Call<Record<string, string>, unknown, unknown>) => Promise<unknown>

export function endpoint<
  const Path extends string,
  Query extends AnyBody = BodyCodec<undefined>,
  Body extends AnyBody = BodyCodec<undefined>,
  Answer extends AnyAnswer = AnyAnswer,
>(spec: Spec<Path, Query, Body, Answer>): Endpoint {
  const errors = [...OPERATIONS[spec.operation].refusals, ...(spec.errors ?? [])]
  // A handler may have narrower types than `Endpoint`: `runEndpoint` reads and writes its values with the codecs of
  // this same route.
  return { ...spec, errors } as unknown as Endpoint
}
