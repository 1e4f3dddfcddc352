/** A rule of a Kubernetes Role, with Kubernetes' field names. */
export interface RoleRule {
  /** API groups to which the rule applies. */
  readonly apiGroups: readonly string[]
  /** Resources to which the rule applies. */
  readonly resources: readonly string[]
  /** Permitted verbs. */
  readonly verbs: readonly string[]
}

/**
 * The rights that the service needs in the namespace of its game servers. It makes no calls there that need further
 * rights.
 */
export const ROLE_RULES: readonly RoleRule[] = [
  {
    apiGroups: ['agones.dev'],
    resources: ['gameservers'],
    verbs: ['create', 'get', 'list', 'watch', 'patch', 'delete'],
  },
  // The next two rules are for the warm pools of queues.
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

/** Rights of `ROLE_RULES`, one for each pair of resource and verb. */
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
