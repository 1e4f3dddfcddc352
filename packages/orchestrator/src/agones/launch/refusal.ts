import type { LaunchResult } from '@matchyard/core/ports'
import { final, noRoom, retry } from '../../kit/index'
import { type ApiRefusal, isQuota } from '../kube/errors'

/** What a launch comes to where the cluster will not make something of it. Throws where it is to be asked again: the attempt stands. */
export function judged(error: ApiRefusal, what: string): LaunchResult {
  if (isQuota(error)) return noRoom(`the cluster has no room for it: ${error.message}`)
  if (error.code === 422 || error.code === 400) return final(`the cluster refuses ${what}: ${error.message}`)
  if (error.code === 404) return final('the cluster has no game servers: Agones is not installed in it')
  // Its own trouble, or too much to do, or too many at once.
  if (error.code === 409 || error.code === 429 || error.code >= 500) throw error
  return retry(`the cluster could not make ${what}: ${error.message}`)
}
