/** Which environment was chosen for which configuration file; remembered with the workspace. */
import * as vscode from "vscode"

export class EnvironmentChoices implements vscode.Disposable {
  readonly #state: vscode.Memento
  readonly #changed = new vscode.EventEmitter<void>()

  readonly onDidChange = this.#changed.event

  constructor(state: vscode.Memento) {
    this.#state = state
  }

  of(configUri: string): string | undefined {
    return this.#state.get<string>(keyOf(configUri))
  }

  async choose(configUri: string, environment: string | undefined): Promise<void> {
    await this.#state.update(keyOf(configUri), environment)
    this.#changed.fire()
  }

  dispose(): void {
    this.#changed.dispose()
  }
}

const keyOf = (configUri: string): string => `environment:${configUri}`
