/** A shell on a terminal, with the completions of `dotrpc` installed as their first lines say, in which somebody types. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { startChild } from "./Child.ts"
import { commandFile } from "./Dotrpc.ts"

export type ShellName = "bash" | "zsh" | "fish"

export interface InteractiveShell {
  /** Types a line, in which a tab completes, and gives the arguments that `dotrpc` then gets. */
  readonly type: (line: string) => Promise<ReadonlyArray<string>>
  readonly stop: () => Promise<void>
}

/** Starts it in this folder. Throws when there is no such shell on this machine, and says how to get one. */
export const startShell = async (name: ShellName, cwd: string): Promise<InteractiveShell> => {
  if (spawnSync(name, ["--version"]).status !== 0)
    throw new Error(`These tests need ${name}: apt-get install ${name}, or brew install ${name}.`)
  const home = mkdtempSync(join(tmpdir(), "dotrpc-shell-"))
  const { command, files } = shells[name]
  const script = execFileSync(process.execPath, [commandFile(), "--completions", name], { encoding: "utf8" })
  for (const [file, text] of Object.entries(files(script))) {
    mkdirSync(dirname(join(home, file)), { recursive: true })
    writeFileSync(join(home, file), text)
  }
  // It gives a program a terminal.
  const child = startChild("script", process.platform === "darwin" ? inScript(command) : linuxScript(command), {
    cwd,
    env: { HOME: home, ZDOTDIR: home, XDG_CONFIG_HOME: join(home, "config"), TERM: "dumb", LC_ALL: "C.UTF-8" },
    isTyped: true,
  })
  let lines = 0
  /** A line is typed when the prompt after the last one is there: until then the terminal is not the shell's editor. */
  const prompted = () => child.said(new RegExp(`^(?:[^${end}]*${end}){${lines}}[^${end}]*ready> `))
  await prompted()
  return {
    type: async (line) => {
      child.type(`${line}\r`)
      lines++
      await prompted()
      const answer = child.stdout().split(end)[lines - 1] ?? ""
      return answer
        .slice(answer.indexOf(begin) + 1)
        .split(separator)
        .slice(0, -1)
    },
    stop: async () => {
      await child.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

const inScript = (command: ReadonlyArray<string>) => ["-q", "/dev/null", ...command]
const linuxScript = (command: ReadonlyArray<string>) => ["-qfec", command.join(" "), "/dev/null"]

/** What begins and ends the arguments, and stands after each. No shell echoes them. */
const [begin, end, separator] = ["\u001D", "\u001E", "\u001F"] as const

/** Prints its arguments, and so does nothing else. */
const posixFunction = `dotrpc() { printf '\\035'; printf '%s\\037' "$@"; printf '\\036'; }`

interface Shell {
  readonly command: ReadonlyArray<string>
  /** By their places in the home folder. */
  readonly files: (script: string) => Readonly<Record<string, string>>
}

const shells: Readonly<Record<ShellName, Shell>> = {
  bash: {
    command: ["bash", "-i"],
    files: (script) => ({ ".bashrc": `PS1='ready> '\nbind 'set bell-style none'\n${posixFunction}\n${script}` }),
  },
  zsh: {
    command: ["zsh", "-d", "-i"],
    files: (script) => ({
      ".zshrc": `PS1='ready> '\nunsetopt prompt_sp list_beep\nfpath=(~/.zsh/completions $fpath)\nautoload -Uz compinit\ncompinit -u\n${posixFunction}\n`,
      ".zsh/completions/_dotrpc": script,
    }),
  },
  fish: {
    command: ["fish", "-i"],
    files: (script) => ({
      "config/fish/config.fish": `set -g fish_greeting
function fish_prompt; printf 'ready> '; end
function dotrpc; printf '\\035'; printf '%s\\037' $argv; printf '\\036'; end
`,
      "config/fish/completions/dotrpc.fish": script,
    }),
  },
}
