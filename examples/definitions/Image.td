// Operations on images, as a project defines them. `records.json` is made of this file by
//   llvm-tblgen -dump-json -I $(llvm-config --includedir) Image.td > records.json
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Image_Dialect : Dialect {
  let name = "image";
  let cppNamespace = "::image";
}

def Image_BlurOp : Op<Image_Dialect, "blur", [DestinationStyleOpInterface, NoMemoryEffect]> {
  let summary = "Blurs a picture into another one.";
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$output, DefaultValuedAttr<I64Attr, "1">:$radius);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input `into` $output (`radius` $radius^)? attr-dict `:` type($input) `into` type($output) `->` type($result)";
}

def Image_HistogramOp : Op<Image_Dialect, "histogram", [Pure]> {
  let summary = "Counts grey values.";
  let arguments = (ins AnyRankedTensor:$input);
  let results = (outs AnyRankedTensor:$counts);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($counts)";
}

def Image_PaletteType : TypeDef<Image_Dialect, "Palette"> {
  let summary = "The colours of a picture.";
  let mnemonic = "palette";
  let parameters = (ins "Type":$element, "int":$colours);
  let assemblyFormat = "`<` $element `,` $colours `>`";
}

def Image_ColourOp : Op<Image_Dialect, "colour", [Pure,
    TypesMatchWith<"the result is an element of the palette", "palette", "result", "::llvm::cast<PaletteType>($_self).getElement()">]> {
  let summary = "Takes a colour out of a palette.";
  let arguments = (ins Image_PaletteType:$palette, Index:$number);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$palette `[` $number `]` attr-dict `:` type($palette)";
}

def Image_WhenOp : Op<Image_Dialect, "when", [RecursiveMemoryEffects, SingleBlockImplicitTerminator<"DoneOp">]> {
  let summary = "Does one thing or another.";
  let arguments = (ins I1:$condition);
  let regions = (region SizedRegion<1>:$then, AnyRegion:$otherwise);
  let assemblyFormat = "$condition $then (`otherwise` $otherwise^)? attr-dict";
}

def Image_DoneOp : Op<Image_Dialect, "done", [Pure, Terminator]> {
  let summary = "Ends a region.";
  let assemblyFormat = "attr-dict";
}
