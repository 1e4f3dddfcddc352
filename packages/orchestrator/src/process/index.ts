export { type ProcessOrchestratorOptions, processOrchestrator } from './process-orchestrator'
