import type { LaunchResult } from '@matchyard/core/ports'
import { final, noRoom, retry } from '../../kit/index'
import { type ApiRefusal, isQuota } from '../kube/errors'

/**
 * Returns the result of a launch that the cluster refused. Throws the error when the caller should launch the same
 * attempt again.
 */
export function judged(error: ApiRefusal, what: string): LaunchResult {
  if (isQuota(error)) return noRoom(`the cluster has no room for it: ${error.message}`)
  if (error.code === 422 || error.code === 400) return final(`the cluster refuses ${what}: ${error.message}`)
  if (error.code === 404) return final('the cluster has no game servers: Agones is not installed in it')
  // A failure of the cluster, too many calls, or too many writes at the same time: the same attempt may succeed later.
  if (error.code === 409 || error.code === 429 || error.code >= 500) throw error
  return retry(`the cluster could not make ${what}: ${error.message}`)
}
