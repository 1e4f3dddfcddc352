export * from './fakes/index'
