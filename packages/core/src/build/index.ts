export * from './build'
export { BUILD_TRANSITIONS } from './transitions'
