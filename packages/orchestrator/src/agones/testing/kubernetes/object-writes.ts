import { isDeepStrictEqual } from 'node:util'
import { forbidNewFinalizers } from './deletion'
import { apiVersionOf, copyOf, type Fields, type KubeObject, type Metadata, type Resource } from './objects'
import { timeOf } from './times'

interface Birth {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly now: number
}

/** What a creation makes of what it is given. */
export function newObject(resource: Resource, given: Fields, { namespace, name, uid, now }: Birth): KubeObject {
  const object = copyOf(given) as KubeObject
  object.apiVersion = apiVersionOf(resource)
  object.kind = resource.kind
  object.metadata = {
    ...object.metadata,
    name,
    namespace,
    uid,
    resourceVersion: '',
    generation: 1,
    creationTimestamp: timeOf(now),
  }
  return object
}

/** What a write makes of an object. */
export function replacement(before: KubeObject, given: Fields): KubeObject {
  const after = copyOf(given) as KubeObject
  after.metadata = { ...after.metadata, ...unchangeable(before.metadata) }
  if (before.metadata.deletionTimestamp !== undefined) forbidNewFinalizers(before, after)
  if (!isDeepStrictEqual(before.spec, after.spec)) after.metadata.generation = (before.metadata.generation ?? 1) + 1
  return after
}

/** What a write does not change, whatever it says. */
const unchangeable = ({
  name,
  namespace,
  uid,
  creationTimestamp,
  generation,
  ...rest
}: Metadata): Partial<Metadata> => ({
  name,
  namespace,
  uid,
  creationTimestamp,
  resourceVersion: rest.resourceVersion,
  ...(generation === undefined ? {} : { generation }),
  ...(rest.deletionTimestamp === undefined
    ? {}
    : { deletionTimestamp: rest.deletionTimestamp, deletionGracePeriodSeconds: rest.deletionGracePeriodSeconds ?? 0 }),
})
