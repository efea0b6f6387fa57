extension LanguageTable {
  /// Other names by which editors and `.gitattributes` files call a language, all in lowercase.
  static var aliases: [(alias: String, name: String)] {
    [
      ("asm", "assembly"), ("nasm", "assembly"), ("bat", "batchfile"), ("batch", "batchfile"),
      ("dosbatch", "batchfile"), ("cpp", "c++"), ("cc", "c++"), ("csharp", "c#"), ("cs", "c#"),
      ("clj", "clojure"),
      ("coffee", "coffeescript"), ("elisp", "emacs lisp"), ("emacs", "emacs lisp"),
      ("emacs-lisp", "emacs lisp"),
      ("coq", "rocq prover"), ("delphi", "pascal"), ("objectpascal", "pascal"), ("fsharp", "f#"),
      ("f90", "fortran free form"), ("golang", "go"), ("terraform", "hcl"), ("tf", "hcl"), ("xhtml", "html"),
      ("js", "javascript"), ("js2", "javascript"), ("node", "javascript"), ("mf", "makefile"),
      ("make", "makefile"),
      ("bsdmake", "makefile"), ("makefile-gmake", "makefile"), ("makefile-bsdmake", "makefile"),
      ("makefile-automake", "makefile"), ("octave", "matlab"), ("md", "markdown"), ("gfm", "markdown"),
      ("pandoc", "markdown"), ("mathematica", "wolfram language"), ("mma", "wolfram language"),
      ("wolfram", "wolfram language"), ("wl", "wolfram language"), ("objc", "objective-c"),
      ("obj-c", "objective-c"), ("objectivec", "objective-c"), ("objc++", "objective-c++"),
      ("objcpp", "objective-c++"), ("obj-c++", "objective-c++"), ("objectivec++", "objective-c++"),
      ("cperl", "perl"), ("posh", "powershell"), ("pwsh", "powershell"), ("ps1", "powershell"),
      ("proto", "protocol buffer"), ("protobuf", "protocol buffer"), ("python3", "python"), ("py", "python"),
      ("rscript", "r"), ("rs", "rust"), ("rb", "ruby"), ("jruby", "ruby"), ("troff", "roff"),
      ("groff", "roff"),
      ("nroff", "roff"), ("man", "roff"), ("sh", "shell"), ("bash", "shell"), ("zsh", "shell"),
      ("ksh", "shell"),
      ("shell-script", "shell"), ("ts", "typescript"), ("typescriptreact", "tsx"), ("latex", "tex"),
      ("plaintex", "tex"), ("vim", "vim script"), ("viml", "vim script"), ("nvim", "vim script"),
      ("vimscript", "vim script"), ("vb", "visual basic .net"), ("vbnet", "visual basic .net"),
      ("nxml", "xml"),
      ("yml", "yaml"), ("dosini", "ini"), ("conf", "ini"),
      ("lisp", "common lisp"), ("cl", "common lisp"), ("ocamllex", "ocaml"),
      ("tuareg", "ocaml"), ("sml", "standard ml"), ("containerfile", "dockerfile"), ("gas", "unix assembly"),
      ("fundamental", "text"), ("help", "vim help file"), ("plist", "openstep property list"),
    ]
  }
}
