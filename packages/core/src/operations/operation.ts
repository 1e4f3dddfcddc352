import type { CredentialKind } from '../access/caller'
import type { Permission } from '../access/permission'
import type { Role } from '../catalog/roles'
import { type AuditRule, auditedOptions } from '../commit/audit'
import type { CallOptions } from '../commit/call-options'
import type { ErrorCode } from '../errors/catalogue'
import { guarded } from './guarded'
import type { Running } from './running'

/** A field of the input of a call. */
export interface InputField {
  readonly name: string
  readonly isOptional: boolean
}

/**
 * A call of the service as a value. The permission of the call, the check of its input, its method and its HTTP route are all derived from
 * this value.
 */
export interface Bindable<Call> {
  readonly fields: readonly InputField[]
  /** Recording of the call in the audit log. Absent for reads, and for calls that only games and the service itself make. */
  readonly audit?: AuditRule | undefined
  /** Returns the call for one running service. @internal */
  readonly bind: (node: never, group: string, name: string) => Call
}

/** A call that some kinds of credentials may make. A protocol such as HTTP gives it a route. */
export interface OperationValue<Call, Name extends string | undefined> extends Bindable<Call>, Permission {
  /** Name of the operation, when it differs from `group.member`. */
  readonly name: Name
  /** Error codes of this operation, besides the codes that every call may have. */
  readonly refusals: readonly ErrorCode[]
}

type Keys<Input> = Input extends object ? keyof Input & string : never
/** Names of the optional fields. A field that one variant of the input forbids is not optional. */
type Optional<Input> = Input extends object
  ? {
      [K in keyof Input]-?: object extends Pick<Input, K> ? ([Input[K]] extends [undefined] ? never : K) : never
    }[keyof Input] &
      string
  : never

/** Field names of the input; an optional field ends with `?`. */
type FieldOf<Input> = Exclude<Keys<Input>, Optional<Input>> | `${Optional<Input>}?`

/** Compile-time check that no field of the input is missing. */
type Complete<Input, Given extends readonly string[]> =
  Exclude<FieldOf<Input>, Given[number]> extends never
    ? unknown
    : { readonly missing: Exclude<FieldOf<Input>, Given[number]> }

interface Runs<Rest extends unknown[], Answer, Given extends readonly string[]> {
  /**
   * Names of the input's fields; an optional field ends with `?`. The list serves two purposes: a misspelled optional field is refused with
   * the nearest known name, and a route knows which fields to fill. `nested`: the function itself checks the fields, at every depth.
   */
  readonly fields?: (Given & Complete<Rest[0], Given>) | 'nested'
  /** Names that callers may send with the fields and that have no effect. They are ignored, and not refused as misspelled. */
  readonly passedOver?: readonly string[]
  /** Recording of the call in the audit log. Default: the audit log never records the call. */
  readonly audit?: AuditRule
  readonly run: (node: Running, ...rest: Rest) => Answer
}

interface Called<Name extends string | undefined> {
  /** Name of the operation in the permission table, in metrics and in the OpenAPI document. Default: `group.member`. */
  readonly name?: Name
  /** Kinds of credentials that may call the operation. With an empty list, any caller may call it, even without a credential. */
  readonly callers: readonly CredentialKind[]
  /**
   * Least role with which a session or a server key may call the operation in a project. Default: null, for calls about no project, and for
   * calls that neither sessions nor server keys make.
   */
  readonly role?: Role
  /** Whether the operation acts for a player. Default: `none`. */
  readonly player?: Permission['player']
  /** Error codes with which this operation may reject. A repeated call may reject with the same codes. */
  readonly refusals?: readonly ErrorCode[]
}

/**
 * Returns an operation: a call that the given kinds of credentials may make. Its answer is typed as an element, because the generated
 * reference drops the type arguments of a plain `Answer`.
 */
export function operation<
  Rest extends unknown[],
  Answer,
  const Given extends readonly FieldOf<Rest[0]>[] = [],
  const Name extends string | undefined = undefined,
>({
  name,
  callers,
  role,
  player = 'none',
  refusals = [],
  ...runs
}: Called<Name> & Runs<Rest, Answer, Given>): OperationValue<(...rest: Rest) => [Answer][0], Name> {
  return {
    ...embedded<Rest, Answer, Given>(runs),
    name: name as Name,
    credentials: callers,
    role: role ?? null,
    player,
    refusals,
  }
}

/** Returns a call for the embedding application only. Callers with credentials cannot make it. */
export function embedded<Rest extends unknown[], Answer, const Given extends readonly FieldOf<Rest[0]>[] = []>({
  fields,
  passedOver = [],
  audit,
  run,
}: Runs<Rest, Answer, Given>): Bindable<(...rest: Rest) => [Answer][0]> {
  const known = fields === undefined || fields === 'nested' ? [] : fields.map(fieldOf)
  // Without optional fields, the misspelling of a field shows as a missing field, so no check is needed.
  const guards = known.some(({ isOptional }) => isOptional)
  const names = guards ? [...known.map(({ name }) => name), ...passedOver] : undefined
  const bind = (node: Running, group: string, operation: string) => {
    if (audit === undefined) return guarded((...rest: Rest) => run(node, ...rest), names)
    return guarded((...rest: Rest) => run(node, ...withAudited(rest, { group, operation, rule: audit })), names)
  }
  return { fields: known, audit, bind }
}

/** Returns the arguments of a call with the facts that the audit log needs, when the call names its author. */
function withAudited<Rest extends unknown[]>(
  rest: Rest,
  facts: { readonly group: string; readonly operation: string; readonly rule: AuditRule },
): Rest {
  const [input, options, ...more] = rest as unknown[]
  const { actor } = (options ?? {}) as CallOptions
  if (actor === undefined) return rest
  return [input, auditedOptions(options as CallOptions, { ...facts, input }), ...more] as Rest
}

const fieldOf = (field: string): InputField =>
  field.endsWith('?') ? { name: field.slice(0, -1), isOptional: true } : { name: field, isOptional: false }

/** Calls of a group, for a running service. */
export type CallsOf<Group> = {
  -readonly [Member in keyof Group]: Group[Member] extends Bindable<infer Call> ? Call : never
}
