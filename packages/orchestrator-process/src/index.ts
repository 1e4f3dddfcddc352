export { DEFAULT_PORT_RANGE, type PortRange } from '@matchyard/orchestrator-kit'
export { type ProcessOrchestratorOptions, processOrchestrator } from './process-orchestrator'
