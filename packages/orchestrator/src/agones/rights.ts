/** A rule of a Role, as Kubernetes spells it. */
export interface RoleRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

/** The least that the service may do in the namespace of its game servers: what is not here it never does. */
export const ROLE_RULES: readonly RoleRule[] = [
  {
    apiGroups: ['agones.dev'],
    resources: ['gameservers'],
    verbs: ['create', 'get', 'list', 'watch', 'patch', 'delete'],
  },
  // What queues have started beforehand.
  { apiGroups: ['agones.dev'], resources: ['fleets'], verbs: ['create', 'list', 'patch', 'delete'] },
  { apiGroups: ['allocation.agones.dev'], resources: ['gameserverallocations'], verbs: ['create'] },
  { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch', 'patch', 'delete'] },
  { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
  { apiGroups: [''], resources: ['secrets'], verbs: ['create', 'get', 'list', 'patch', 'delete'] },
]

export interface Right {
  readonly group: string
  readonly resource: string
  readonly subresource?: string
  readonly verb: string
}

/** Each right by itself. */
export const RIGHTS: readonly Right[] = ROLE_RULES.flatMap(({ apiGroups, resources, verbs }) =>
  apiGroups.flatMap((group) =>
    resources.flatMap((whole) => {
      const [resource = '', subresource] = whole.split('/')
      return verbs.map((verb) => ({ group, resource, verb, ...(subresource === undefined ? {} : { subresource }) }))
    }),
  ),
)

export const rightInWords = ({ group, resource, subresource, verb }: Right): string =>
  `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}${group === '' ? '' : `.${group}`}`
