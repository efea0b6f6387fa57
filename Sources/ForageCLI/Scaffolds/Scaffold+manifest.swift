extension Scaffold {
  /// A manifest for a public API that needs no key: that of Packagist, where PHP's packages are.
  var manifestFiles: [File] {
    [
      File(
        path: "\(name).yaml",
        contents: #"""
          # A provider for Forage: a search API over HTTP, described by this file. It works as it stands, with the API of
          # Packagist (https://packagist.org/apidoc), where the packages of PHP are. Make it into yours line by line.
          forage: 1
          id: \#(name)
          name: \#(title)
          kinds: [package]

          # Where the API is. A user can point to another server with: providers: {\#(name): {config: {url: "https://..."}}}
          base: https://packagist.org

          # How one page is asked for: {text} are the words, {size} and {page} come from the paging.
          request:
            url: "{base}/search.json"
            params: {q: "{text}", per_page: "{size}", page: "{page}"}
          paging: {style: page, start: 1, size: 50, more: $.next}

          # Requests a second at most.
          rate: {perSecond: 2}

          # Which qualifiers the API applies itself, here topic:psr-3. All others are checked on the fields below.
          qualifiers:
            topic: {param: tags, push: exact}

          # Where the results stand in the answer, and how many there are in all.
          items: $.results[*]
          total: $.total

          # How a result becomes an item: id, url and title always, and every other field of the answer.
          map:
            id: $.name
            url: $.url
            title: $.name
            name: $.name
            description: $.description
            registry: {value: packagist}
            repository: {path: $.repository, as: repositoryURL}

          """#),
      File(
        path: "README.md",
        contents: #"""
          # \#(title)

          A provider for Forage that one file describes. It asks Packagist until you make it ask your API.

          1. Check it; this asks the API a few times:

                 forage plugin validate \#(name).yaml

          2. Try it without installing it:

                 forage search --plugin \#(name).yaml -p \#(name) -k package http client

          3. Change `base`, `request`, `items` and `map` to your API, then check again. Errors name the line of an unknown key or path.

          4. Install it:

                 forage plugin install \#(name).yaml

          An API that wants a token: add `auth: {secret: token, bearer: true}` to the file, and bind the secret to a variable of your
          environment in `~/.config/forage/config.yaml`:

              providers:
                \#(name): {secrets: {token: {env: MY_TOKEN}}}

          The secret is sent only after you have confirmed the hosts. `validate` and `--plugin` ask for one run (without a terminal: `--yes`),
          `install` once for all. After a change of the hosts:

              forage plugin trust \#(name)

          """#),
    ]
  }
}
