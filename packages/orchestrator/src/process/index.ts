export { type Certificate, certificateFault } from '../kit/certificate'
export { type ProcessOrchestratorOptions, processOrchestrator } from './process-orchestrator'
