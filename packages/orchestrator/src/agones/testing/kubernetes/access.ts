import { ApiStatus } from './status'

/** A rule of a Role: which verbs on which resources of which groups. */
export interface PolicyRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

/** What is asked of the interface; `subresource` as in `pods/log`. */
export interface Access {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource?: string | undefined
  readonly namespace?: string | undefined
  readonly name?: string | undefined
}

/** Rules only ever add; what no rule allows is denied. */
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
