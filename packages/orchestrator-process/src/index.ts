export { DEFAULT_PORT_RANGE, type PortRange } from './ports'
export { type ProcessOrchestratorOptions, processOrchestrator } from './process-orchestrator'
