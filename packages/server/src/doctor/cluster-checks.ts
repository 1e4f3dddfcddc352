import { type ClusterReport, examineClusters } from '@matchyard/orchestrator/agones'
import { type Check, fail, ok, oncePerPatient, type Patient, warn } from './check'

const NOT_HERE = ok('no cluster runs game servers here')

const examined = oncePerPatient(({ config: { agones } }: Patient) => examineClusters(agones ?? {}))

const cluster: Check = {
  name: 'cluster',
  mend: 'give a kubeconfig and a context in AGONES_CONFIG that reach the cluster (docs/kubernetes.md)',
  async look(patient) {
    if (patient.config.orchestrator !== 'agones') return NOT_HERE
    if (patient.config.agones === undefined) return fail('ORCHESTRATOR is agones, and AGONES_CONFIG is not set')
    try {
      const reports = await examined(patient)
      const found = reports.map(inWords).join('; ')
      if (reports.some(({ fault }) => fault !== null)) return fail(found)
      const without = reports.find(({ agonesVersions }) => !agonesVersions.includes('v1'))
      if (without !== undefined) {
        return fail(`${without.context}: Agones is not installed, or serves no agones.dev/v1`, INSTALL_AGONES)
      }
      const coldOnly = keepsWarm(patient) ? reports.find(({ allocationFault }) => allocationFault !== null) : undefined
      if (coldOnly !== undefined) {
        const { context, allocationFault } = coldOnly
        return warn(`${context}: no match is given a game server that waits for it: ${allocationFault}`, ALLOCATIONS)
      }
      return ok(found)
    } catch (error) {
      return fail(error instanceof Error ? error.message : String(error))
    }
  },
}

const keepsWarm = ({ config: { containers } }: Patient) => containers.maxWarmServers !== 0

const inWords = ({ context, namespace, version, fault }: ClusterReport): string =>
  `${context}: ${fault ?? `Kubernetes ${version}, namespace ${namespace}`}`

/**
 * Remedy when game servers cannot be allocated. The chart of Agones registers the allocation API, and the Agones
 * extensions serve it; either may be missing in an installation.
 */
const ALLOCATIONS =
  'helm upgrade agones agones/agones --namespace agones-system --reuse-values --set agones.registerApiService=true, and see that the pods of agones-extensions run; or set MAX_WARM_SERVERS=0'

const INSTALL_AGONES = 'helm install agones agones/agones --namespace agones-system --create-namespace'

const rights: Check = {
  name: 'cluster-rights',
  mend: 'kubectl apply -f examples/self-hosting/kubernetes/role.yaml (docs/kubernetes.md)',
  async look(patient) {
    if (patient.config.orchestrator !== 'agones' || patient.config.agones === undefined) return NOT_HERE
    const all = await examined(patient).catch(() => [])
    const reports = all.filter(({ fault }) => fault === null)
    const lacking = reports.filter(({ missing }) => missing.length > 0)
    if (lacking.length > 0) {
      return fail(
        lacking.map(({ context, missing }) => `${context}: this service may not ${missing.join(', ')}`).join('; '),
      )
    }
    const refused = reports.find(({ dryRunFault }) => dryRunFault !== null)
    if (refused !== undefined) return fail(`${refused.context}: a game server would be refused: ${refused.dryRunFault}`)
    return reports.length === 0
      ? warn('the cluster does not answer')
      : ok('a game server could be made, and nothing is missing')
  },
}

export const CLUSTER_CHECKS: readonly Check[] = [cluster, rights]
