import type { ConsumeHandler } from '../consumer/message'
import type { FeedOptions } from '../streams/index'
import type { Consumption } from '../use-cases/consumers/consume-messages'
import type { ConsumeInput } from '../use-cases/consumers/register-consumer'
import type { ConsumerCalls } from './consumer-calls'
import type { AnyGame, GameTypes, PlainGame } from './game-types'
import type { FeedView, Method } from './in-game'
import type { GroupedCalls } from './index'

/** Groups whose calls are about things of one project. */
const GROUPS = [
  'queues',
  'lobbies',
  'matches',
  'builds',
  'servers',
  'players',
  'bans',
  'ratings',
  'webhooks',
  'problems',
  'history',
] as const
type Group = (typeof GROUPS)[number]

type Without<Input> = Input extends unknown ? Omit<Input, 'projectId'> : never
type InProject<Call> = Call extends (input: infer Input, ...rest: infer Rest) => infer Answer
  ? Input extends { readonly projectId: string }
    ? Method<[input: Without<Input>, ...rest: Rest], Answer>
    : never
  : never
type InProjectCalls<Calls> = {
  readonly [Member in keyof Calls as InProject<Calls[Member]> extends never ? never : Member]: InProject<Calls[Member]>
}

/** Calls of the service about one project, which take no `projectId`: `arena.lobbies.create({ queueId, playerId })`. */
export type ProjectCalls<Game extends GameTypes = AnyGame> = {
  readonly [G in Group]: InProjectCalls<GroupedCalls<Game>[G]>
} & {
  /** Id of the project. */
  readonly id: string
  /** Opens a feed of the changes of the project, as `matchyard.feed`. */
  feed(options?: FeedOptions): Promise<FeedView<PlainGame<Game>>>
  /** Handles each event of the project's matches, as `matchyard.consume`. Default of `types`: all events of a match. */
  consume(name: string, handler: ConsumeHandler, options?: Pick<ConsumeInput, 'types'>): Promise<Consumption>
  /** Removes a consumer and its messages, as `matchyard.removeConsumer`. */
  removeConsumer(name: string): Promise<void>
}

type AnyCall = (input: object, ...rest: unknown[]) => unknown

/** Returns the calls for one project. The project need not exist; then each call rejects as for an unknown project. */
export function projectCalls(
  calls: GroupedCalls,
  id: string,
  {
    feed,
    consume,
    removeConsumer,
  }: ConsumerCalls & { readonly feed: (projectId: string, options?: FeedOptions) => Promise<FeedView<AnyGame>> },
): ProjectCalls {
  const bound =
    (call: AnyCall): AnyCall =>
    (input, ...rest) =>
      call({ ...input, projectId: id }, ...rest)
  const groups = GROUPS.map((group) => {
    const members = Object.entries(calls[group] as object).map(([member, call]) => [member, bound(call as AnyCall)])
    return [group, Object.fromEntries(members)]
  })
  return {
    ...Object.fromEntries(groups),
    id,
    feed: (options?: FeedOptions) => feed(id, options),
    consume: (name: string, handler: ConsumeHandler, options: Pick<ConsumeInput, 'types'> = {}) =>
      consume({ ...options, projectId: id, name }, handler),
    removeConsumer: (name: string) => removeConsumer({ projectId: id, name }),
  } as never
}
