export { type ClusterTime, idleRuntime, type TestCluster, type TestClusterOptions, testCluster } from './cluster'
export { type AgonesUnderTest, agonesHarness, imageOf } from './harness'
export type { Access, PolicyRule } from './kubernetes/access'
export { ApiServer, TOKEN } from './kubernetes/api-server'
export type { AllocationFate, Fate, Faults } from './kubernetes/faults'
export type { ContainerExit, Runtime } from './kubernetes/kubelet'
export {
  ALLOCATIONS,
  type Fields,
  FLEETS,
  GAMESERVERS,
  type KubeObject,
  PODS,
  SECRETS,
  SETS,
} from './kubernetes/objects'
export type { Node } from './kubernetes/scheduler'
