// Two operations on images, as a project defines them. `records.json` is made of this file by
//   llvm-tblgen -dump-json -I $(llvm-config --includedir) Image.td > records.json
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
