export * from './build'
export * from './image-reference'
export { BUILD_TRANSITIONS } from './transitions'
