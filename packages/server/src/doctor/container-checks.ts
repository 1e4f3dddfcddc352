import { DEFAULT_BASE_IMAGE, DEFAULT_ENGINE_HOST, examineEngine } from '@matchyard/orchestrator/docker'
import { type Check, fail, ok, oncePerPatient, type Patient, warn } from './check'

const NOT_HERE = ok('no containers are run here')
const runsContainers = ({ config }: Patient) => config.orchestrator === 'docker'

const engineOf = ({ config: { containers } }: Patient) => containers.engineHost ?? DEFAULT_ENGINE_HOST
const baseImageOf = ({ config: { containers } }: Patient) => containers.baseImage ?? DEFAULT_BASE_IMAGE

const examined = oncePerPatient((patient) => examineEngine(engineOf(patient), baseImageOf(patient)))

const engine: Check = {
  name: 'engine',
  mend: 'start the container engine, or set DOCKER_HOST to where it listens; the service must be allowed to use it',
  async look(patient) {
    if (!runsContainers(patient)) return NOT_HERE
    try {
      const { version, architecture, limitations } = await examined(patient)
      const found = `version ${version} for ${architecture} at ${engineOf(patient)}`
      return limitations.length === 0 ? ok(found) : warn(`${found}. ${limitations.join(' ')}`, SEE_SECURITY)
    } catch (error) {
      return fail(`${engineOf(patient)}: ${error instanceof Error ? error.message : String(error)}`)
    }
  },
}

const SEE_SECURITY = 'user namespaces (userns-remap) or a rootless engine; images that name a user'

const baseImage: Check = {
  name: 'base-image',
  mend: 'docker pull it, or set DOCKER_BASE_IMAGE to an image that is there',
  async look(patient) {
    if (!runsContainers(patient)) return NOT_HERE
    const { hasBaseImage } = await examined(patient)
    const image = baseImageOf(patient)
    return hasBaseImage
      ? ok(`${image} is in the engine`)
      : warn(`${image} is not in the engine: the first launch fetches it`)
  },
}

export const CONTAINER_CHECKS: readonly Check[] = [engine, baseImage]
