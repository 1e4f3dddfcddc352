export { queueFaults } from './faults'
export * from './invite-code'
export * from './queue'
