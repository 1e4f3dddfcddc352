export { type Certificate, certificateFault } from '../kit/index'
export { type ProcessOrchestratorOptions, processOrchestrator } from './process-orchestrator'
