import type { CredentialKind } from '../access/caller'
import type { Permission } from '../access/permission'
import type { ErrorCode } from '../errors/catalogue'
import { guarded } from './guarded'
import type { Running } from './running'

/** A field of the input of a call. */
export interface InputField {
  readonly name: string
  readonly isOptional: boolean
}

/** A call of the service as a value: everything that its permission, its guard, its facade and its route are made from. */
export interface Bindable<Call> {
  readonly fields: readonly InputField[]
  /** The call of one running service. @internal */
  readonly bind: (node: never) => Call
}

/** A call that credentials are allowed: a wire gives it a route. */
export interface OperationValue<Call, Name extends string | undefined> extends Bindable<Call>, Permission {
  /** Name of the operation where it is not `group.member`. */
  readonly name: Name
  /** The codes of its own refusals, beside those that every call may have. */
  readonly refusals: readonly ErrorCode[]
}

type Keys<Input> = Input extends object ? keyof Input & string : never
/** The fields that may be left out. A field that one form of an input must not have is none of them. */
type Optional<Input> = Input extends object
  ? {
      [K in keyof Input]-?: object extends Pick<Input, K> ? ([Input[K]] extends [undefined] ? never : K) : never
    }[keyof Input] &
      string
  : never

/** Fields by their names, with a `?` where they may be left out. */
type FieldOf<Input> = Exclude<Keys<Input>, Optional<Input>> | `${Optional<Input>}?`

/** All fields of the input, none left out. */
type Complete<Input, Given extends readonly string[]> =
  Exclude<FieldOf<Input>, Given[number]> extends never
    ? unknown
    : { readonly missing: Exclude<FieldOf<Input>, Given[number]> }

interface Runs<Rest extends unknown[], Answer, Given extends readonly string[]> {
  /**
   * The fields of the input, with a `?` where they may be left out: an embedder's slip in one of those is refused with the nearest name,
   * and a route knows what to fill in. `nested`: the function judges them itself, at every depth.
   */
  readonly fields?: (Given & Complete<Rest[0], Given>) | 'nested'
  /** Names that callers keep together with the fields, and that say nothing here: none of them is a slip. */
  readonly passedOver?: readonly string[]
  readonly run: (node: Running, ...rest: Rest) => Answer
}

interface Called<Name extends string | undefined> {
  /** Name of the operation in the permission table, in metrics and in the OpenAPI document. Default: `group.member`. */
  readonly name?: Name
  /** Kinds of credentials that may call the operation. */
  readonly callers: readonly CredentialKind[]
  /** Whether it acts for a player; `none` unless said. */
  readonly player?: Permission['player']
  /** The codes of its own refusals, also of a repeated call. */
  readonly refusals?: readonly ErrorCode[]
}

/** An operation: a call that credentials are allowed. */
export function operation<
  Rest extends unknown[],
  Answer,
  const Given extends readonly FieldOf<Rest[0]>[] = [],
  const Name extends string | undefined = undefined,
>({
  name,
  callers,
  player = 'none',
  refusals = [],
  ...runs
}: Called<Name> & Runs<Rest, Answer, Given>): OperationValue<(...rest: Rest) => Answer, Name> {
  return { ...embedded<Rest, Answer, Given>(runs), name: name as Name, credentials: callers, player, refusals }
}

/** A call for the program that embeds the service: no credential is allowed it. */
export function embedded<Rest extends unknown[], Answer, const Given extends readonly FieldOf<Rest[0]>[] = []>({
  fields,
  passedOver = [],
  run,
}: Runs<Rest, Answer, Given>): Bindable<(...rest: Rest) => Answer> {
  const known = fields === undefined || fields === 'nested' ? [] : fields.map(fieldOf)
  // Where no field may be left out, a slip in one is a field that is missing.
  const guards = known.some(({ isOptional }) => isOptional)
  const names = guards ? [...known.map(({ name }) => name), ...passedOver] : undefined
  return { fields: known, bind: (node: Running) => guarded((...rest: Rest) => run(node, ...rest), names) }
}

const fieldOf = (field: string): InputField =>
  field.endsWith('?') ? { name: field.slice(0, -1), isOptional: true } : { name: field, isOptional: false }

/** The calls of a group, bound to a running service. */
export type CallsOf<Group> = {
  -readonly [Member in keyof Group]: Group[Member] extends Bindable<infer Call> ? Call : never
}
