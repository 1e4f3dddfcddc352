export {
  DEFAULT_BASE_IMAGE,
  DEFAULT_MAX_WARM_SERVERS,
  DEFAULT_REGISTRIES,
  type DockerOrchestratorOptions,
  dockerOrchestrator,
} from './docker-orchestrator'
export { DEFAULT_ENGINE_HOST } from './engine'
export { type EngineReport, examineEngine } from './examine-engine'
export type { RegistryCredentials } from './images/image-policy'
