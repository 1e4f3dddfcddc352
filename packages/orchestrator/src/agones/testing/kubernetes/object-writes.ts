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

/** Returns a new object in the form in which the API stores it. */
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

/** Returns an object in the form in which the API stores it after a write. */
export function replacement(before: KubeObject, given: Fields): KubeObject {
  const after = copyOf(given) as KubeObject
  after.metadata = { ...after.metadata, ...unchangeable(before.metadata) }
  if (before.metadata.deletionTimestamp !== undefined) forbidNewFinalizers(before, after)
  if (!isDeepStrictEqual(before.spec, after.spec)) after.metadata.generation = (before.metadata.generation ?? 1) + 1
  return after
}

/** Returns the fields of the metadata that a write cannot change. */
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
