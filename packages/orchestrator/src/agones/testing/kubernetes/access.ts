import { ApiStatus } from './status'

/** A rule of a Role: allowed verbs on resources of API groups. */
export interface PolicyRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

/**
 * A call for which rules decide whether it is allowed; `subresource` is the second part of, for example, `pods/log`.
 */
export interface Access {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource?: string | undefined
  readonly namespace?: string | undefined
  readonly name?: string | undefined
}

/** Whether a rule allows the call. Rules only add rights: a call that matches no rule is denied. */
export const isAllowed = (rules: readonly PolicyRule[], { verb, group, resource, subresource }: Access): boolean => {
  const named = subresource === undefined ? resource : `${resource}/${subresource}`
  const has = (list: readonly string[], value: string) => list.includes('*') || list.includes(value)
  return rules.some((rule) => has(rule.apiGroups, group) && has(rule.resources, named) && has(rule.verbs, verb))
}

export function forbidden(user: string, { verb, group, resource, subresource, namespace, name }: Access): ApiStatus {
  const named = `${resource}${group === '' ? '' : `.${group}`}`
  const whole = subresource === undefined ? `"${resource}"` : `"${resource}/${subresource}"`
  const object = name === undefined ? '' : ` "${name}"`
  return new ApiStatus(
    'Forbidden',
    `${named}${object} is forbidden: User "${user}" cannot ${verb} resource ${whole} in API group "${group}" in the namespace "${namespace}"`,
    { kind: resource, ...(name === undefined ? {} : { name }) },
  )
}
