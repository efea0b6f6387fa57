import Forage
import ForageBrowse
import ForageCore

/// The sections that the parser does not know: titles behind `#`, and indented paragraphs, some below what
/// they explain.
extension ManualPage {
  /// The keys of `forage browse`, in words where a terminal shows arrows.
  static var keys: String {
    var text = """
      # KEYS OF BROWSE
        What the keys do depends on where the cursor is. The key / edits the query.
      """
    var place = ""
    for (key, does) in BrowseState.keys {
      if key.isEmpty {
        place = String(does.prefix { $0 != "(" }).trimmingWhitespace()
        continue
      }
      var words = key
      for (arrow, name) in [("←→", "Left Right"), ("↑↓", "Up Down"), ("→", "Right"), ("←", "Left")] {
        words = words.replacing(arrow, with: name)
      }
      text += "\n\(words)\n  (\(place)) \(does)"
    }
    return text
  }

  /// The line of a command that takes a REF; the forms stand once.
  static let seeReferences = "REF: see REFERENCES."

  static let references = """
    # REFERENCES
      \(ReferenceReader.help)
    """

  static let queries = """
    # QUERIES
      The syntax is that of GitHub for all providers: words (all must match), "quoted phrases", name:value,
      -name:value, -word, NOT word, >N >=N <N <=N A..B for numbers and ISO 8601 dates, OR, AND, parentheses;
      ranges have open ends, too: 2024-01-01..*. sort:stars and sort:updated-asc stand for --sort and --order;
      --sort relevance is the default. A word with an unknown name before a colon is searched for as a word, with a warning.
      forage providers show ID lists the qualifiers and sort keys of a provider by kind; one that a provider
      does not take is checked on its results.
    -k code
      Words must all be in the file. In clones also: /REGULAR EXPRESSION/ (PCRE, by line), symbol:NAME or
      symbol:/EXPRESSION/ (a line that defines it; GREP lists the languages), symbol-kind: beside it (function
      means methods, too, and type all types), uses:NAME (a line of code that uses it: a whole word in its own
      case, in no comment, string or definition of it; GREP lists the languages), case:yes, repo:, org:, user:,
      language:, path:, filename:, extension:, size:, and -is:test, -is:generated, -is:vendored. Several repo:,
      user:, language:, extension: or symbol-kind: widen the search; qualifiers alone list the files that they
      fit. path:, filename: and extension: take the patterns *, ? and **, which GitHub cannot match.
    repo:.
      The clone that one stands in, for every kind; forges are asked for its owner/name. Another path (/…, ./…,
      ~/…) is the clone there. Of clones repo: takes all that -R of forage grep takes but numbers: also a
      folder above them, a glob, and a name without an owner, for which forges are asked where clones of one
      repository alone have it. Several repo:, org:, user: and owner: are alternatives, as on GitHub. path: is a part of the path in the repository.
    fork:
      Without it a search of GitHub leaves out forks, as GitHub's own does; other forges and clones list them.
      fork:true lists them everywhere, fork:false nowhere, and fork:only nothing else.
    -k commit
      Also asks clones: words of the message, author:, committer:, author-date:, committer-date:, hash:, merge:
      and path:. In clones also added:"TEXT" and removed:"TEXT": commits that add or remove a line with it, from
      the newest on until the time is over; case is ignored unless case:yes.
    -k pr
      The same as -k issue with is:pr. The kinds are open: a provider can have others than those listed.
    """

  /// The searches of gh, and the options that only these have.
  static var searchesOfGH: String {
    let names = GhSearch.allCases.map(\.rawValue) + ["code"]
    let options = names.map { name in
      let further = SearchQualifier.further.filter { $0.searches.contains(name) }
      return "\(name)\n  " + further.map { "--" + $0.name }.joined(separator: ", ")
    }
    return """
      # GH SEARCH
        forage search repos, issues, prs or commits, with words, conditions or --json behind it, takes the options
        of gh search and means what gh means: --updated of repositories is the date of the last push, issues leaves
        pull requests out unless --include-prs is given, an argument with spaces is a phrase, and --json takes gh's
        fields, prints gh's records, and asks GitHub alone. -- repos is the word. These differ from gh:
      code
        As the first word it is the kind where an option or a qualifier follows that only code has, such as
        --extension, else a word: use -k code. The fields of its JSON are those of Forage.
      arguments
        Quotes inside an argument are those of the query. An argument with several qualifiers, such as
        "is:open label:bug", is several conditions; gh takes all behind the first colon for one value.
      conditions
        Several values of one option are joined by OR. A year or a month is written as a range of days.
      requests
        A page has 30 results or more, so that a further search finds them in the cache.
      output
        Rows are those of Forage. --template is not offered. A control character in JSON is escaped, as \\u001b,
        where gh writes ^[.
      exit status
        1 where nothing was found, 2 for wrong arguments.

      # OPTIONS OF GH SEARCH
        Options of search that are not in its help, by the searches of gh that have them. They work with -k, too.
      \(options.joined(separator: "\n"))

      """
  }

  static let sections = """
    # GREP
      forage grep ARGS is rg ARGS: rg takes the place of the program, so that alias rg='forage grep' changes
      nothing. rg (ripgrep) must be installed; forage search -k code needs none. Options of forage may stand
      anywhere among those of rg.
    --all, -R CLONE, conditions
      rg searches the work trees of these clones: rg ARGS ROOT..., by path, relative where they are below the
      current folder, with --sort path unless an option says otherwise. A name is owner/name, a path, a number
      of the last list, or a word or glob as of clones list; conditions are those of clones list. A PATH is then a
      path in each of the clones. Bare clones have no files on disk; search them with --ref.
    the index
      forage clones scan (and clones index) keep what rg found in each clone. A clone is left out where nothing
      has changed since then, and no text of it can match; where few files can match, rg is given these. The
      lines are the same as without an index. Everything is searched with a pattern that has no three letters
      in a row, with a glob that does not exclude, and with options such as -v, -u, --hidden, --no-ignore, -L,
      -a, -z, --pre, --json and --stats, under which other files or lines count.
    --symbol NAME
      Prints the lines that define a name, below the current folder or in the clones that are chosen; outside of
      clones, in all of the catalogue. Repeated, any of the names. Case is ignored unless the name has a capital,
      or -s is given. The languages:
      \(CodeLanguage.namesWithSymbols.joined(separator: ", ")).
    --uses NAME
      Prints the lines of code that use a name: a whole word in its own case (-i ignores it), in no comment, string
      or definition of it. The languages:
      \(CodeLanguage.namesWithUses.joined(separator: ", ")).
    --ref NAME
      Searches the files of a branch, tag or commit, below the current folder or in the clones that are chosen.
      The pattern is one of PCRE2. A path that is in no work tree is owner/name:path where clones are chosen.
    options with --symbol, --uses and --ref
      -e -F -w -x (only with --ref) -i -s -S -g -t -T -A -B -C -m -n -N -H -I -l -c -o -q -0 --column --vimgrep
      --heading --color --json; rows are path:line:text. -t takes a language, an alias of it or an extension. The
      JSON is that of search -k code.

    # AGENTS
      forage mcp speaks the Model Context Protocol (2026-07-28, and 2025-11-25 and 2025-06-18 with
      initialize) on standard input and output. An agent can search every enabled provider, read files of
      clones in the catalogue and of repositories on your forges, inspect clones, and list them. It reads
      nothing outside a clone, follows no link out of it, and never reads .git. Tokens are masked in every
      answer.
    --allow-write
      Adds the tool that stars repositories. Nothing else is ever changed.
    --print-config HOST
      Prints the settings of a host: claude, codex, vscode, zed or cursor, with the absolute path of this
      program. The help of forage mcp names the file of each host.

    # JSON
    --json FIELDS
      Prints an array of objects with just these fields; for one thing (show, inspect of one path) an
      object. A field that an item does not have is null. Without names, or with an unknown one, the names
      are listed and the status is 2. repository is the id of that repository: its host, owner and name, in
      lower case on forges that ignore case.
    --jq EXPRESSION
      Applies an expression of jq to the JSON of --json, or else of --format json. Strings are printed raw,
      other values as JSON on one line each. The program jq does it; where it is not installed, Forage itself
      understands paths, slices, pipes, commas, //, operators, if, strings with \\(...), [...], {...}, = for a
      member, @csv, @tsv, and \(JQEvaluation.named).
    units
      Lines and columns count from 1, here and in every list; columns are bytes of the line. The ranges of
      matches, and the matches of fragments, are [start, end] in Unicode scalars of the text beside them:
      start counts from 0, and end is not part of the match. Sizes are in bytes, sizeKB in units of 1024, and
      times whose names end with Ms in milliseconds.

    # NUMBERS
      show, open, star, unstar, favorite, clone and inspect take the numbers of the last list that this
      terminal printed: 3, 5-7; also the name of a user, a topic or a package in it, and the digits of a commit.
      A list on a terminal shows the numbers; --no-number, and numbers: false in the
      settings, leave them out. search, stars and feed print the next page with --next: the list is made again from cached
      answers up to an hour old, and results that were printed are left out; what the forge moved in
      between may be missed. A list that is older than five minutes, or after which another one went to a
      pipe or a file, is named on standard error.

    # TAB-SEPARATED OUTPUT
      In a pipe a list has one row for each result and no header. Where a list is sorted by a time, or the
      query has a condition on one of repositories, the time is that one. A name owner/name has its host in
      front (host/owner/name) unless the name alone means it. The fields of each kind, in this order:
    \(KindRendering.manual)
    several kinds
      kind, name, text, time, URL, providers
    show, inspect
      In a pipe the page for people, without color, at 80 columns. --format tsv prints keys and values, one
      row for each item of a list.
    inspect of several clones, clones list --status
      path, id, branch, time of the last commit, language, bytes of the files of HEAD, error, upstream,
      commits ahead, commits behind, paths staged, unstaged, untracked and conflicted, stashes; with
      --safe-to-delete also the time of the last fetch, with --unpushed the number of unpushed commits

    # EXIT STATUS
    0
      There are results, or the command succeeded.
    1
      Nothing was found, and every provider that was asked answered.
    2
      The arguments or the settings are wrong, or no provider can answer the query.
    3
      There are results, but a part is missing: under --strict, or of a provider named with -p; files of
      clones that were not searched count only under --strict. Of several actions some failed.
    4
      There are no results, and a provider that was asked failed.
    130
      The command was interrupted.

    # ENVIRONMENT
    GH_TOKEN, GITHUB_TOKEN
      The token for github.com.
    GH_ENTERPRISE_TOKEN, GITHUB_ENTERPRISE_TOKEN
      The token for another host. Without a variable, gh auth token and git credential fill are asked.
    GITLAB_TOKEN, GITLAB_HOST
      The token of a GitLab without one in the settings, and the host that it is for (default gitlab.com). Git,
      a pager and a browser do not get it.
    GH_HOST
      The GitHub host to use in place of github.com.
    FORAGE_GITHUB_URL
      The base of the GitHub API (default https://api.github.com); of an Enterprise server
      https://HOST/api/v3.
    FORAGE_PAGER, PAGER
      The program that shows output longer than the terminal; cat or empty for none.
    BROWSER
      The programs that --web and forage open try, separated by colons outside of quotes; %s stands for
      the address. One that shows pages on the terminal (w3m, lynx, xdg-open without a display) gets it;
      any other gets neither terminal nor output.
    VISUAL, EDITOR
      The program that forage open and the key e in forage browse start for a file of a clone, at its line.
      The commands in these variables are split into words as a shell splits them, without expansions.
    NO_COLOR, CLICOLOR, CLICOLOR_FORCE
      Whether colors are used: CLICOLOR_FORCE wins over NO_COLOR, --color over both.
    COLUMNS
      The width of the terminal.
    FORAGE_DEBUG
      If 1, --verbose prints more, for example header fields.
    HTTPS_PROXY, ALL_PROXY, NO_PROXY, SSL_CERT_FILE
      The proxy (http://HOST:PORT or socks5://HOST:PORT; ALL_PROXY where HTTPS_PROXY is not set), the hosts
      without it, and the certificates to trust. HTTP_PROXY is not read.
    XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_CACHE_HOME, XDG_STATE_HOME
      The folders for settings, data, cache and state, each with a folder forage below.

    # SETTINGS
    \(Settings.manual)

      Every command reports a setting that is not understood, with its line. A provider whose settings are
      wrong is not asked; all other settings are used.

    # TOKENS
      A token is sent to its own host only, never over plain HTTP except to this machine, and never printed.
      GH_ENTERPRISE_TOKEN and GITHUB_ENTERPRISE_TOKEN name no host: they are used for the host of the
      provider github where it is not github.com, else for the only other host of the settings, and with
      several other hosts for none. auth status shows which token is used.

    # LIMITS
      GitHub returns at most 1000 results of one query. For a longer --limit the search is repeated in
      ranges of dates, with at most --max-requests requests; what cannot be reached is reported. GitHub's
      code search covers default branches and files below 384 KB.

      Clones inside the work tree of another clone are found when that is new or has changed, and when something
      is added to its topmost folder; clones add DIR searches every work tree. Linked work trees are always
      found. Submodules, and bare repositories in a work tree, are counted and left out; clones add takes them.
      Not searched are the folders of package managers and of other tools, such as node_modules, .cargo,
      .build/checkouts and .repo. A work tree of Jujutsu is one clone; where git does not know its files, only
      the repository is read.

      Code in clones is searched in text files of at most code.maxFileSize bytes; a NUL in the first 8,000
      bytes makes a file binary. UTF-16 with a byte order mark is searched as UTF-8: its columns are bytes of
      that form, and JSON has the field encoding. A line that ends with CR LF also matches without the CR. In
      the clone of the current folder the files of submodules that are checked out are searched, too, with
      their paths in that clone; they have no ref and no commit.

      Words match GitHub's index on GitHub. Of clones they match the name, the owner, the topics that an
      earlier answer told, and the description, or the first paragraph of the README where there is none:
      whole words, and parts of names (client in HTTPClient and in http-client). The stars of a clone are
      those of an earlier answer, too.

    # INSPECTIONS
    status
      Paths are counted as git status does. git itself is asked where libgit2 cannot read the index (split,
      sparse, or without a checksum), where a checkout is sparse, after git add --intent-to-add, where a
      rule ignores every folder of the root, and where a .gitignore is a link. Otherwise three things differ
      from git, which follow.
    not counted
      An untracked link to a folder that a rule with a final slash ignores.
    counted
      A file that an exception (!) names in an ignored folder that has tracked files.
    uncompared
      A file that passes through a filter program, which is not run: it counts as unchanged.
    lines
      Lines of code, comments and blank lines are told apart by a table of comments and strings of each
      language: in here-documents and templates a line that looks like a comment counts as one.
    dependencies
      Those of Package.swift, Cargo.toml, package.json, pyproject.toml, requirements.txt, go.mod, Gemfile,
      pom.xml, build.gradle and *.csproj.

    # FILES
    ~/.config/forage/config.yaml
      Settings. Options win over the environment, the environment over this file.
    ~/.config/forage/providers.enabled.yaml
      What providers enable and providers disable have written. config.yaml wins over it.
    ~/.config/forage/plugins.origins.yaml
      What plugin install has installed from where, for plugin upgrade.
    ~/.config/forage/clones.ignored.yaml
      What clones ignore and clones remove have written, beside what config.yaml ignores.
    ~/.config/forage/searches.saved.yaml
      What searches save has written. config.yaml wins over it.
    ~/.config/forage/providers.d/*.yaml, *.yml
      Manifests: providers that a file describes.
    ~/.local/share/forage/plugins/ID/plugin.json
      Plugins: providers that are programs.
    ~/.local/share/forage/forage.db
      Favorites and the catalogue of clones. Of several clones of a repository every command takes the same
      one: with a work tree rather than bare, complete rather than shallow or partial, then the first by path.
    ~/.cache/forage
      Cached answers (answers), facts of clones (inspections: with names and addresses of authors), the code
      index (code.db) and known stars; safe to delete.
    ~/.local/state/forage/lists
      The last list of each terminal; safe to delete.
    ~/.local/state/forage/searches
      What search @NAME --new has shown of each saved search; without it everything is new again.
    ~/.local/state/forage/picks
      How often each clone was picked, and when; safe to delete.
    ~/.ssh/config, /etc/ssh/ssh_config
      Which hosts the names in addresses of clones mean (Host, HostName and Include; Match is not read). The
      name of a forge of the settings wins.
    """
}
