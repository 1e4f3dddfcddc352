import type { Queue, ServerSettings } from '@matchyard/client/admin'

/** What is edited of a queue here: who is matched with whom, and what its game servers are made from. */
export interface QueueDraft {
  readonly matchmaking: Matchmaking
  readonly server_settings: ServerSettings
}

export type Matchmaking = NonNullable<Queue['matchmaking']>
export type Composition = NonNullable<Matchmaking['team_composition']>
export type Rule = NonNullable<Matchmaking['rules']>[number]
export type RuleType = Rule['type']
export type Expansion = NonNullable<Rule['expansions']>[number]

/** The bound that a type of rule has, by its name on the wire; null where it has none. */
export const BOUNDS: Readonly<Record<RuleType, 'max_difference' | 'min_overlap' | 'max_ms' | 'value' | null>> = {
  difference: 'max_difference',
  equals: null,
  region: 'min_overlap',
  not_equals: null,
  min: 'value',
  max: 'value',
  intersection: 'min_overlap',
  team_difference: 'max_difference',
  latency: 'max_ms',
}

/** What a rule asks of the players of one match. */
export const MEANINGS: Readonly<Record<RuleType, string>> = {
  difference: 'the highest and the lowest are at most so far apart',
  equals: 'all have the same',
  region: 'all have so many regions in common',
  not_equals: 'no two have the same',
  min: 'each has at least',
  max: 'each has at most',
  intersection: 'all have so many in common',
  team_difference: 'the averages of the teams are at most so far apart',
  latency: 'one region is within so many milliseconds of all',
}

/** Of each type the field that most games have for it, which says of what kind its values are; types of one kind read the same. */
const FIELDS: Readonly<Record<RuleType, string>> = {
  difference: 'mmr',
  team_difference: 'mmr',
  min: 'mmr',
  max: 'mmr',
  equals: 'mode',
  not_equals: 'mode',
  region: 'regions',
  intersection: 'languages',
  latency: 'latency',
}

/** Bounds to begin with. */
const FIRST_BOUNDS = { max_difference: 100, min_overlap: 1, max_ms: 100, value: 0 } as const

/** A rule of another type: its field stays where that reads values of the same kind, its bound where that means the same. */
export function ofType(rule: Rule, type: RuleType): Rule {
  const bound = BOUNDS[type]
  const stays = FIELDS[type] === FIELDS[rule.type]
  const kept = BOUNDS[rule.type] === bound && stays ? boundOf(rule) : undefined
  const { required } = rule
  return {
    type,
    field: stays ? fieldOf(rule) : FIELDS[type],
    ...(bound === null ? {} : { [bound]: kept ?? FIRST_BOUNDS[bound] }),
    ...(required === undefined ? {} : { required }),
  } as Rule
}

export function boundOf(rule: Rule | Expansion): number | undefined {
  const bounds = rule as { readonly [name: string]: unknown }
  for (const name of ['max_difference', 'min_overlap', 'max_ms', 'value']) {
    const bound = bounds[name]
    if (typeof bound === 'number') return bound
  }
  return undefined
}

/** A number as it is written into a field; undefined where the default holds. */
export const numberOf = (text: string): number | undefined => {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isNaN(value) ? undefined : value
}

/** The field of a player's state that a rule reads. */
export const fieldOf = (rule: Rule): string => rule.field ?? 'regions'

/** A place in the draft as every sentence about it may spell it: `rules[0].max_difference` is `rules.0.max_difference`. */
export const placeOf = (path: string): string => path.replace(/\[(\d+)\]/g, '.$1').replace(/^matchmaking\./, '')

/** What is wrong with the draft, by its places. */
export type DraftFaults = ReadonlyMap<string, string>

/** Without what is undefined, as it would be sent. */
export const sent = <T extends object>(draft: T): T => JSON.parse(JSON.stringify(draft)) as T

/** What of a queue is edited, as the service told it. */
export const toldOf = ({ matchmaking = {}, server_settings = {} }: Queue): QueueDraft => ({
  matchmaking,
  server_settings,
})

/** A draft of one version on top of another: what was edited stays, and every other setting is that of the other version. */
export const carried = (draft: QueueDraft, from: QueueDraft, to: QueueDraft): QueueDraft => ({
  matchmaking: merged(draft.matchmaking, from.matchmaking, to.matchmaking),
  server_settings: merged(draft.server_settings, from.server_settings, to.server_settings),
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

/** Where two JSON values differ, place by place. */
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

/** How a value stands beside another one: what has parts, part by part. */
export const shown = (value: unknown): string =>
  value === undefined || value === null ? 'nothing' : JSON.stringify(value, null, isObject(value) ? 2 : 0)
