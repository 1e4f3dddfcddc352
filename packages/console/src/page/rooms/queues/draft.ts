import type { Queue, ServerSettings } from '@matchyard/client/admin'

/** Settings of a queue that the page edits, without the nested objects. */
const PLAIN = [
  'name',
  'enabled',
  'max_players',
  'lobby_ttl',
  'host_leave_behavior',
  'timeout',
  'presence_timeout',
  'heartbeat',
  'heartbeat_timeout',
  'in_game_heartbeat_timeout',
  'concurrent_matches',
  'match_ttl',
  'leaver_penalty',
  'requeue_on_failure',
  'rating',
  'rating_field',
  'rated_starts',
] as const

/** Settings of a queue, which the page edits. Absent objects are empty. */
export interface QueueDraft extends Pick<Queue, (typeof PLAIN)[number] | 'invite_code_config'> {
  readonly matchmaking: Matchmaking
  readonly server_settings: ServerSettings
  readonly trusted_fields: readonly string[]
}

/** Settings of a draft that are objects, whose own fields are merged. */
const NESTED = ['matchmaking', 'server_settings', 'invite_code_config'] as const

/** Names of the settings in a draft. */
export const EDITED = [...PLAIN, ...NESTED, 'trusted_fields'] as const

export type Matchmaking = NonNullable<Queue['matchmaking']>
export type Composition = NonNullable<Matchmaking['team_composition']>
export type Rule = NonNullable<Matchmaking['rules']>[number]
export type RuleType = Rule['type']
export type Expansion = NonNullable<Rule['expansions']>[number]

/**
 * Returns the number that the text of an input contains. Returns undefined for a text without a number, so that the
 * setting gets its default.
 */
export const numberOf = (text: string): number | undefined => {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isNaN(value) ? undefined : value
}

/** Returns the texts between commas, without those that are empty. */
export const textsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

/**
 * Returns a path in one spelling for all sources of faults: `matchmaking.rules[0].max_difference` becomes
 * `rules.0.max_difference`.
 */
export const placeOf = (path: string): string => path.replace(/\[(\d+)\]/g, '.$1').replace(/^matchmaking\./, '')

/** Faults of the draft by path. */
export type DraftFaults = ReadonlyMap<string, string>

/** Returns the draft without undefined values, in the form in which it is sent to the service. */
export const sent = <T extends object>(draft: T): T => JSON.parse(JSON.stringify(draft)) as T

/** Returns the part of a queue that the page edits, as the service sent it. */
export const toldOf = (queue: Queue): QueueDraft => {
  const { matchmaking = {}, server_settings = {}, invite_code_config, trusted_fields = [] } = queue
  const plain = Object.fromEntries(PLAIN.map((name) => [name, queue[name]])) as unknown as Pick<
    Queue,
    (typeof PLAIN)[number]
  >
  return { ...plain, matchmaking, server_settings, invite_code_config, trusted_fields }
}

/**
 * Moves a draft from one version of the queue to another. Edited settings stay, and all other settings come from the
 * new version.
 */
export const carried = (draft: QueueDraft, from: QueueDraft, to: QueueDraft): QueueDraft => ({
  ...merged(draft, from, to),
  ...Object.fromEntries(NESTED.map((name) => [name, merged<object>(draft[name], from[name], to[name])])),
})

function merged<T extends object>(draft: T, from: T, to: T): T {
  const names = [...new Set([...Object.keys(to), ...Object.keys(draft)])] as (keyof T)[]
  const isEdited = (name: keyof T) => changesOf(from[name], draft[name]).length > 0
  const settings = names.map((name) => [name, (isEdited(name) ? draft : to)[name]] as const)
  return Object.fromEntries(settings.filter(([, value]) => value !== undefined)) as T
}

export interface Change {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** Returns the differences of two JSON values, by path. */
export function changesOf(before: unknown, after: unknown, path = ''): readonly Change[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  if (isList(before) && isList(after)) {
    return Array.from({ length: Math.max(before.length, after.length) }, (_, place) => place).flatMap((place) =>
      changesOf(before[place], after[place], `${path}[${place}]`),
    )
  }
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return keys.flatMap((key) => changesOf(before[key], after[key], path === '' ? key : `${path}.${key}`))
  }
  return [{ path, before, after }]
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a value as text, for the list of changes. */
export const shown = (value: unknown): string =>
  value === undefined || value === null ? 'not set' : JSON.stringify(value, null, isObject(value) ? 2 : 0)
