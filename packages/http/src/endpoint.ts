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

/** The path's parameters, by name. */
export type ParamsOf<Path extends string> = { readonly [Name in ParamName<Path>]: string }

/** One call, everything about it read and checked in the order of docs/http-api.md §1. */
export interface Call<Params, Query, Body> {
  readonly matchyard: Matchyard
  readonly services: Services
  readonly operation: Operation
  /** Caller of the request; undefined where no credential is needed. */
  readonly caller: Caller | undefined
  /** Where the call came from, for logs. */
  readonly source: CallSource
  readonly playerId: string | undefined
  /** Present where a player's client calls: the proven values of trusted fields. */
  readonly client: ClientWord | undefined
  /** Expiry of the caller's right, and of a stream that it opened. */
  readonly until: number | undefined
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The idempotency key of a change. */
  readonly options: CallOptions
  readonly requestId: string
  /** Milliseconds that the caller chose to wait: no part of how long the answer took. */
  readonly waited: { ms: number }
  /** Headers of the answer, also of a refusal; a handler may add to them. */
  readonly headers: Record<string, string>
  readonly exchange: Exchange
}

/** Form of a success; without a codec it has no body. */
export interface Success<Answer = AnyAnswer> {
  readonly status: 200 | 201 | 202 | 204
  readonly description: string
  readonly answer?: Answer
  /** Whether the value is a page of a list: its envelope says where it was asked to begin. */
  readonly isPage?: true
  /** Where the body is not JSON. */
  readonly mediaType?: string
}

/** The other success of an operation that has two. */
export class Otherwise<Value = undefined> {
  constructor(readonly value: Value) {}
}

interface Spec<Path extends string, Query extends AnyBody, Body extends AnyBody, Answer extends AnyAnswer> {
  /** Operation of the route: its callers, fields and refusals. */
  readonly operation: Operation
  readonly method: Method
  /** As OpenAPI writes it: `/v1/lobbies/{lobby_id}`. */
  readonly path: Path
  readonly summary: string
  readonly query?: Query
  /** Without one the body is empty or `{}`. */
  readonly body?: Body
  /** An empty body counts as `{}`. */
  readonly bodyOptional?: boolean
  /** The body is not JSON; the handler reads it (build uploads). */
  readonly rawBody?: { readonly mediaType: string; readonly description: string }
  readonly success: Success<Answer>
  /** Another success, answered by `new Otherwise(value)`: with the same body under another status, or without any. */
  readonly otherwise?: { readonly status: Success['status']; readonly description: string }
  /** Whether this installation has the operation at all; throws where it has not, before anything of the request but its credential is judged. */
  readonly requireOffered?: (services: Services) => void
  /** Owner of the idempotency key where it is not the credential: for a call without one, and for one about the credential itself. */
  readonly keyOwner?: KeyOwner
  /** Refusals of the route itself, besides those of the operation and of every route. */
  readonly errors?: readonly ErrorCode[]
  /**
   * Returns the value of the success in the domain's words, or a whole response. Without `handle` the operation is called with the input, and
   * its result is the answer.
   */
  handle?(
    call: Call<ParamsOf<Path>, SentBy<Query>, SentBy<Body>>,
  ): Promise<ToldBy<Answer> | Otherwise<ToldBy<Answer> | undefined> | Response>
}

/** A route as a value: the server and the documentation are both made from it. */
export type Endpoint = Omit<Spec<string, AnyBody, AnyBody, AnyAnswer>, 'handle' | 'errors'> & {
  /** Refusals of the route, besides those of every operation. */
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
  // The handler's own types hold because `runEndpoint` reads and writes with this very value's codecs.
  return { ...spec, errors } as unknown as Endpoint
}
