export type { Certificate } from '../kit/index'
export { type ProcessOrchestratorOptions, processOrchestrator } from './process-orchestrator'
