; ModuleID = 'barriers.cu'
source_filename = "barriers.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ11tree_reduceE1s = internal addrspace(3) global [256 x i32] undef, align 4
@_ZZ9transposeE4tile = internal addrspace(3) global [16 x [17 x i32]] undef, align 4
@_ZZ14transpose_rowsE4tile = internal addrspace(3) global [32 x [33 x i32]] undef, align 4
@_ZZ5relaxE1s = internal addrspace(3) global [256 x i32] undef, align 4
@_ZZ4scanE1s = internal addrspace(3) global [2 x [256 x i32]] undef, align 4
@_ZZ17uniform_conditionE1s = internal addrspace(3) global [256 x i32] undef, align 4
@_ZZ12until_stableE7changed = internal addrspace(3) global i32 undef, align 4
@_ZZ17divergent_barrierE1s = internal addrspace(3) global [256 x i32] undef, align 4
@_ZZ12early_returnE1s = internal addrspace(3) global [256 x i32] undef, align 4
@_ZZ14return_in_loopE1s = internal addrspace(3) global [64 x i32] undef, align 4
@_ZZ12nested_loopsE1s = internal addrspace(3) global [128 x i32] undef, align 4
@_ZZ15reverse_dynamicE6offset = internal addrspace(3) global i32 undef, align 4
@dynamic_shared = external dso_local addrspace(3) global [0 x i32], align 4
@_ZZ4cubeE1s = internal addrspace(3) global [2 x [3 x [5 x i32]]] undef, align 4
@counter_of_blocks = dso_local addrspace(1) externally_initialized global i32 0, align 4
@_ZZ10last_blockE1s = internal addrspace(3) global [64 x i32] undef, align 4
@_ZZ10last_blockE4last = internal addrspace(3) global i8 undef, align 1
@_ZZ14named_barriersE1s = internal addrspace(3) global [128 x i32] undef, align 4
@_ZZ12grid_barrierE1s = internal addrspace(3) global [32 x i32] undef, align 4
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @counter_of_blocks to ptr)], section "llvm.metadata"

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @tree_reduce(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !25
  store ptr %1, ptr %5, align 8, !tbaa !25
  store i32 %2, ptr %6, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #7
  %10 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %10, ptr %7, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #7
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %12 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %13 = mul nsw i32 %11, %12
  %14 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %15 = add nsw i32 %13, %14
  store i32 %15, ptr %8, align 4, !tbaa !29
  %16 = load i32, ptr %8, align 4, !tbaa !29
  %17 = load i32, ptr %6, align 4, !tbaa !29
  %18 = icmp slt i32 %16, %17
  br i1 %18, label %19, label %25

19:                                               ; preds = %3
  %20 = load ptr, ptr %4, align 8, !tbaa !25
  %21 = load i32, ptr %8, align 4, !tbaa !29
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds i32, ptr %20, i64 %22
  %24 = load i32, ptr %23, align 4, !tbaa !29
  br label %26

25:                                               ; preds = %3
  br label %26

26:                                               ; preds = %25, %19
  %27 = phi i32 [ %24, %19 ], [ 0, %25 ]
  %28 = load i32, ptr %7, align 4, !tbaa !29
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ11tree_reduceE1s to ptr), i64 0, i64 %29
  store i32 %27, ptr %30, align 4, !tbaa !29
  call void @llvm.nvvm.barrier0()
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #7
  %31 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %32 = sdiv i32 %31, 2
  store i32 %32, ptr %9, align 4, !tbaa !29
  br label %33

33:                                               ; preds = %54, %26
  %34 = load i32, ptr %9, align 4, !tbaa !29
  %35 = icmp sgt i32 %34, 0
  br i1 %35, label %37, label %36

36:                                               ; preds = %33
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #7
  br label %57

37:                                               ; preds = %33
  %38 = load i32, ptr %7, align 4, !tbaa !29
  %39 = load i32, ptr %9, align 4, !tbaa !29
  %40 = icmp slt i32 %38, %39
  br i1 %40, label %41, label %53

41:                                               ; preds = %37
  %42 = load i32, ptr %7, align 4, !tbaa !29
  %43 = load i32, ptr %9, align 4, !tbaa !29
  %44 = add nsw i32 %42, %43
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ11tree_reduceE1s to ptr), i64 0, i64 %45
  %47 = load i32, ptr %46, align 4, !tbaa !29
  %48 = load i32, ptr %7, align 4, !tbaa !29
  %49 = sext i32 %48 to i64
  %50 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ11tree_reduceE1s to ptr), i64 0, i64 %49
  %51 = load i32, ptr %50, align 4, !tbaa !29
  %52 = add nsw i32 %51, %47
  store i32 %52, ptr %50, align 4, !tbaa !29
  br label %53

53:                                               ; preds = %41, %37
  call void @llvm.nvvm.barrier0()
  br label %54

54:                                               ; preds = %53
  %55 = load i32, ptr %9, align 4, !tbaa !29
  %56 = ashr i32 %55, 1
  store i32 %56, ptr %9, align 4, !tbaa !29
  br label %33, !llvm.loop !31

57:                                               ; preds = %36
  %58 = load i32, ptr %7, align 4, !tbaa !29
  %59 = icmp eq i32 %58, 0
  br i1 %59, label %60, label %66

60:                                               ; preds = %57
  %61 = load i32, ptr addrspacecast (ptr addrspace(3) @_ZZ11tree_reduceE1s to ptr), align 4, !tbaa !29
  %62 = load ptr, ptr %5, align 8, !tbaa !25
  %63 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds i32, ptr %62, i64 %64
  store i32 %61, ptr %65, align 4, !tbaa !29
  br label %66

66:                                               ; preds = %60, %57
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #7
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier0() #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @transpose(ptr noundef %0, ptr noundef %1, i32 noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store ptr %0, ptr %5, align 8, !tbaa !25
  store ptr %1, ptr %6, align 8, !tbaa !25
  store i32 %2, ptr %7, align 4, !tbaa !29
  store i32 %3, ptr %8, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #7
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %12 = mul nsw i32 %11, 16
  %13 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %14 = add nsw i32 %12, %13
  store i32 %14, ptr %9, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %10) #7
  %15 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %16 = mul nsw i32 %15, 16
  %17 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %18 = add nsw i32 %16, %17
  store i32 %18, ptr %10, align 4, !tbaa !29
  %19 = load i32, ptr %9, align 4, !tbaa !29
  %20 = load i32, ptr %7, align 4, !tbaa !29
  %21 = icmp slt i32 %19, %20
  br i1 %21, label %22, label %42

22:                                               ; preds = %4
  %23 = load i32, ptr %10, align 4, !tbaa !29
  %24 = load i32, ptr %8, align 4, !tbaa !29
  %25 = icmp slt i32 %23, %24
  br i1 %25, label %26, label %42

26:                                               ; preds = %22
  %27 = load ptr, ptr %5, align 8, !tbaa !25
  %28 = load i32, ptr %10, align 4, !tbaa !29
  %29 = load i32, ptr %7, align 4, !tbaa !29
  %30 = mul nsw i32 %28, %29
  %31 = load i32, ptr %9, align 4, !tbaa !29
  %32 = add nsw i32 %30, %31
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds i32, ptr %27, i64 %33
  %35 = load i32, ptr %34, align 4, !tbaa !29
  %36 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds [16 x [17 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ9transposeE4tile to ptr), i64 0, i64 %37
  %39 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds [17 x i32], ptr %38, i64 0, i64 %40
  store i32 %35, ptr %41, align 4, !tbaa !29
  br label %42

42:                                               ; preds = %26, %22, %4
  call void @llvm.nvvm.barrier0()
  %43 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %44 = mul nsw i32 %43, 16
  %45 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %46 = add nsw i32 %44, %45
  store i32 %46, ptr %9, align 4, !tbaa !29
  %47 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %48 = mul nsw i32 %47, 16
  %49 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %50 = add nsw i32 %48, %49
  store i32 %50, ptr %10, align 4, !tbaa !29
  %51 = load i32, ptr %9, align 4, !tbaa !29
  %52 = load i32, ptr %8, align 4, !tbaa !29
  %53 = icmp slt i32 %51, %52
  br i1 %53, label %54, label %74

54:                                               ; preds = %42
  %55 = load i32, ptr %10, align 4, !tbaa !29
  %56 = load i32, ptr %7, align 4, !tbaa !29
  %57 = icmp slt i32 %55, %56
  br i1 %57, label %58, label %74

58:                                               ; preds = %54
  %59 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds [16 x [17 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ9transposeE4tile to ptr), i64 0, i64 %60
  %62 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds [17 x i32], ptr %61, i64 0, i64 %63
  %65 = load i32, ptr %64, align 4, !tbaa !29
  %66 = load ptr, ptr %6, align 8, !tbaa !25
  %67 = load i32, ptr %10, align 4, !tbaa !29
  %68 = load i32, ptr %8, align 4, !tbaa !29
  %69 = mul nsw i32 %67, %68
  %70 = load i32, ptr %9, align 4, !tbaa !29
  %71 = add nsw i32 %69, %70
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds i32, ptr %66, i64 %72
  store i32 %65, ptr %73, align 4, !tbaa !29
  br label %74

74:                                               ; preds = %58, %54, %42
  call void @llvm.lifetime.end.p0(i64 4, ptr %10) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #7
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y() #2

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @transpose_rows(ptr noundef %0, ptr noundef %1, i32 noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  store ptr %0, ptr %5, align 8, !tbaa !25
  store ptr %1, ptr %6, align 8, !tbaa !25
  store i32 %2, ptr %7, align 4, !tbaa !29
  store i32 %3, ptr %8, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #7
  %13 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %14 = mul nsw i32 %13, 32
  %15 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %16 = add nsw i32 %14, %15
  store i32 %16, ptr %9, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %10) #7
  %17 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %18 = mul nsw i32 %17, 32
  %19 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %20 = add nsw i32 %18, %19
  store i32 %20, ptr %10, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %11) #7
  store i32 0, ptr %11, align 4, !tbaa !29
  br label %21

21:                                               ; preds = %56, %4
  %22 = load i32, ptr %11, align 4, !tbaa !29
  %23 = icmp slt i32 %22, 32
  br i1 %23, label %25, label %24

24:                                               ; preds = %21
  call void @llvm.lifetime.end.p0(i64 4, ptr %11) #7
  br label %59

25:                                               ; preds = %21
  %26 = load i32, ptr %9, align 4, !tbaa !29
  %27 = load i32, ptr %7, align 4, !tbaa !29
  %28 = icmp slt i32 %26, %27
  br i1 %28, label %29, label %55

29:                                               ; preds = %25
  %30 = load i32, ptr %10, align 4, !tbaa !29
  %31 = load i32, ptr %11, align 4, !tbaa !29
  %32 = add nsw i32 %30, %31
  %33 = load i32, ptr %8, align 4, !tbaa !29
  %34 = icmp slt i32 %32, %33
  br i1 %34, label %35, label %55

35:                                               ; preds = %29
  %36 = load ptr, ptr %5, align 8, !tbaa !25
  %37 = load i32, ptr %10, align 4, !tbaa !29
  %38 = load i32, ptr %11, align 4, !tbaa !29
  %39 = add nsw i32 %37, %38
  %40 = load i32, ptr %7, align 4, !tbaa !29
  %41 = mul nsw i32 %39, %40
  %42 = load i32, ptr %9, align 4, !tbaa !29
  %43 = add nsw i32 %41, %42
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds i32, ptr %36, i64 %44
  %46 = load i32, ptr %45, align 4, !tbaa !29
  %47 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %48 = load i32, ptr %11, align 4, !tbaa !29
  %49 = add nsw i32 %47, %48
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds [32 x [33 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ14transpose_rowsE4tile to ptr), i64 0, i64 %50
  %52 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds [33 x i32], ptr %51, i64 0, i64 %53
  store i32 %46, ptr %54, align 4, !tbaa !29
  br label %55

55:                                               ; preds = %35, %29, %25
  br label %56

56:                                               ; preds = %55
  %57 = load i32, ptr %11, align 4, !tbaa !29
  %58 = add nsw i32 %57, 8
  store i32 %58, ptr %11, align 4, !tbaa !29
  br label %21, !llvm.loop !33

59:                                               ; preds = %24
  call void @llvm.nvvm.barrier0()
  %60 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %61 = mul nsw i32 %60, 32
  %62 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %63 = add nsw i32 %61, %62
  store i32 %63, ptr %9, align 4, !tbaa !29
  %64 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %65 = mul nsw i32 %64, 32
  %66 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %67 = add nsw i32 %65, %66
  store i32 %67, ptr %10, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %12) #7
  store i32 0, ptr %12, align 4, !tbaa !29
  br label %68

68:                                               ; preds = %103, %59
  %69 = load i32, ptr %12, align 4, !tbaa !29
  %70 = icmp slt i32 %69, 32
  br i1 %70, label %72, label %71

71:                                               ; preds = %68
  call void @llvm.lifetime.end.p0(i64 4, ptr %12) #7
  br label %106

72:                                               ; preds = %68
  %73 = load i32, ptr %9, align 4, !tbaa !29
  %74 = load i32, ptr %8, align 4, !tbaa !29
  %75 = icmp slt i32 %73, %74
  br i1 %75, label %76, label %102

76:                                               ; preds = %72
  %77 = load i32, ptr %10, align 4, !tbaa !29
  %78 = load i32, ptr %12, align 4, !tbaa !29
  %79 = add nsw i32 %77, %78
  %80 = load i32, ptr %7, align 4, !tbaa !29
  %81 = icmp slt i32 %79, %80
  br i1 %81, label %82, label %102

82:                                               ; preds = %76
  %83 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %84 = sext i32 %83 to i64
  %85 = getelementptr inbounds [32 x [33 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ14transpose_rowsE4tile to ptr), i64 0, i64 %84
  %86 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %87 = load i32, ptr %12, align 4, !tbaa !29
  %88 = add nsw i32 %86, %87
  %89 = sext i32 %88 to i64
  %90 = getelementptr inbounds [33 x i32], ptr %85, i64 0, i64 %89
  %91 = load i32, ptr %90, align 4, !tbaa !29
  %92 = load ptr, ptr %6, align 8, !tbaa !25
  %93 = load i32, ptr %10, align 4, !tbaa !29
  %94 = load i32, ptr %12, align 4, !tbaa !29
  %95 = add nsw i32 %93, %94
  %96 = load i32, ptr %8, align 4, !tbaa !29
  %97 = mul nsw i32 %95, %96
  %98 = load i32, ptr %9, align 4, !tbaa !29
  %99 = add nsw i32 %97, %98
  %100 = sext i32 %99 to i64
  %101 = getelementptr inbounds i32, ptr %92, i64 %100
  store i32 %91, ptr %101, align 4, !tbaa !29
  br label %102

102:                                              ; preds = %82, %76, %72
  br label %103

103:                                              ; preds = %102
  %104 = load i32, ptr %12, align 4, !tbaa !29
  %105 = add nsw i32 %104, 8
  store i32 %105, ptr %12, align 4, !tbaa !29
  br label %68, !llvm.loop !34

106:                                              ; preds = %71
  call void @llvm.lifetime.end.p0(i64 4, ptr %10) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #7
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @relax(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !25
  store ptr %1, ptr %5, align 8, !tbaa !25
  store i32 %2, ptr %6, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #7
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %11, ptr %7, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #7
  %12 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  store i32 %12, ptr %8, align 4, !tbaa !29
  %13 = load ptr, ptr %4, align 8, !tbaa !25
  %14 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %15 = load i32, ptr %8, align 4, !tbaa !29
  %16 = mul nsw i32 %14, %15
  %17 = load i32, ptr %7, align 4, !tbaa !29
  %18 = add nsw i32 %16, %17
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds i32, ptr %13, i64 %19
  %21 = load i32, ptr %20, align 4, !tbaa !29
  %22 = load i32, ptr %7, align 4, !tbaa !29
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ5relaxE1s to ptr), i64 0, i64 %23
  store i32 %21, ptr %24, align 4, !tbaa !29
  call void @llvm.nvvm.barrier0()
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #7
  store i32 0, ptr %9, align 4, !tbaa !29
  br label %25

25:                                               ; preds = %54, %3
  %26 = load i32, ptr %9, align 4, !tbaa !29
  %27 = load i32, ptr %6, align 4, !tbaa !29
  %28 = icmp slt i32 %26, %27
  br i1 %28, label %30, label %29

29:                                               ; preds = %25
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #7
  br label %57

30:                                               ; preds = %25
  call void @llvm.lifetime.start.p0(i64 4, ptr %10) #7
  %31 = load i32, ptr %7, align 4, !tbaa !29
  %32 = load i32, ptr %8, align 4, !tbaa !29
  %33 = add nsw i32 %31, %32
  %34 = sub nsw i32 %33, 1
  %35 = load i32, ptr %8, align 4, !tbaa !29
  %36 = srem i32 %34, %35
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ5relaxE1s to ptr), i64 0, i64 %37
  %39 = load i32, ptr %38, align 4, !tbaa !29
  %40 = load i32, ptr %7, align 4, !tbaa !29
  %41 = add nsw i32 %40, 1
  %42 = load i32, ptr %8, align 4, !tbaa !29
  %43 = srem i32 %41, %42
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ5relaxE1s to ptr), i64 0, i64 %44
  %46 = load i32, ptr %45, align 4, !tbaa !29
  %47 = add nsw i32 %39, %46
  store i32 %47, ptr %10, align 4, !tbaa !29
  call void @llvm.nvvm.barrier0()
  %48 = load i32, ptr %10, align 4, !tbaa !29
  %49 = load i32, ptr %9, align 4, !tbaa !29
  %50 = add nsw i32 %48, %49
  %51 = load i32, ptr %7, align 4, !tbaa !29
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ5relaxE1s to ptr), i64 0, i64 %52
  store i32 %50, ptr %53, align 4, !tbaa !29
  call void @llvm.nvvm.barrier0()
  call void @llvm.lifetime.end.p0(i64 4, ptr %10) #7
  br label %54

54:                                               ; preds = %30
  %55 = load i32, ptr %9, align 4, !tbaa !29
  %56 = add nsw i32 %55, 1
  store i32 %56, ptr %9, align 4, !tbaa !29
  br label %25, !llvm.loop !35

57:                                               ; preds = %29
  %58 = load i32, ptr %7, align 4, !tbaa !29
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ5relaxE1s to ptr), i64 0, i64 %59
  %61 = load i32, ptr %60, align 4, !tbaa !29
  %62 = load ptr, ptr %5, align 8, !tbaa !25
  %63 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %64 = load i32, ptr %8, align 4, !tbaa !29
  %65 = mul nsw i32 %63, %64
  %66 = load i32, ptr %7, align 4, !tbaa !29
  %67 = add nsw i32 %65, %66
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds i32, ptr %62, i64 %68
  store i32 %61, ptr %69, align 4, !tbaa !29
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #7
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @scan(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !25
  store ptr %1, ptr %4, align 8, !tbaa !25
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #7
  %9 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %9, ptr %5, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #7
  %10 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  store i32 %10, ptr %6, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #7
  store i32 0, ptr %7, align 4, !tbaa !29
  %11 = load ptr, ptr %3, align 8, !tbaa !25
  %12 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %13 = load i32, ptr %6, align 4, !tbaa !29
  %14 = mul nsw i32 %12, %13
  %15 = load i32, ptr %5, align 4, !tbaa !29
  %16 = add nsw i32 %14, %15
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds i32, ptr %11, i64 %17
  %19 = load i32, ptr %18, align 4, !tbaa !29
  %20 = load i32, ptr %5, align 4, !tbaa !29
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ4scanE1s to ptr), i64 0, i64 %21
  store i32 %19, ptr %22, align 4, !tbaa !29
  call void @llvm.nvvm.barrier0()
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #7
  store i32 1, ptr %8, align 4, !tbaa !29
  br label %23

23:                                               ; preds = %69, %2
  %24 = load i32, ptr %8, align 4, !tbaa !29
  %25 = load i32, ptr %6, align 4, !tbaa !29
  %26 = icmp slt i32 %24, %25
  br i1 %26, label %28, label %27

27:                                               ; preds = %23
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #7
  br label %72

28:                                               ; preds = %23
  %29 = load i32, ptr %5, align 4, !tbaa !29
  %30 = load i32, ptr %8, align 4, !tbaa !29
  %31 = icmp sge i32 %29, %30
  br i1 %31, label %32, label %50

32:                                               ; preds = %28
  %33 = load i32, ptr %7, align 4, !tbaa !29
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds [2 x [256 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ4scanE1s to ptr), i64 0, i64 %34
  %36 = load i32, ptr %5, align 4, !tbaa !29
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds [256 x i32], ptr %35, i64 0, i64 %37
  %39 = load i32, ptr %38, align 4, !tbaa !29
  %40 = load i32, ptr %7, align 4, !tbaa !29
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [2 x [256 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ4scanE1s to ptr), i64 0, i64 %41
  %43 = load i32, ptr %5, align 4, !tbaa !29
  %44 = load i32, ptr %8, align 4, !tbaa !29
  %45 = sub nsw i32 %43, %44
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds [256 x i32], ptr %42, i64 0, i64 %46
  %48 = load i32, ptr %47, align 4, !tbaa !29
  %49 = add nsw i32 %39, %48
  br label %58

50:                                               ; preds = %28
  %51 = load i32, ptr %7, align 4, !tbaa !29
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds [2 x [256 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ4scanE1s to ptr), i64 0, i64 %52
  %54 = load i32, ptr %5, align 4, !tbaa !29
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds [256 x i32], ptr %53, i64 0, i64 %55
  %57 = load i32, ptr %56, align 4, !tbaa !29
  br label %58

58:                                               ; preds = %50, %32
  %59 = phi i32 [ %49, %32 ], [ %57, %50 ]
  %60 = load i32, ptr %7, align 4, !tbaa !29
  %61 = sub nsw i32 1, %60
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds [2 x [256 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ4scanE1s to ptr), i64 0, i64 %62
  %64 = load i32, ptr %5, align 4, !tbaa !29
  %65 = sext i32 %64 to i64
  %66 = getelementptr inbounds [256 x i32], ptr %63, i64 0, i64 %65
  store i32 %59, ptr %66, align 4, !tbaa !29
  %67 = load i32, ptr %7, align 4, !tbaa !29
  %68 = sub nsw i32 1, %67
  store i32 %68, ptr %7, align 4, !tbaa !29
  call void @llvm.nvvm.barrier0()
  br label %69

69:                                               ; preds = %58
  %70 = load i32, ptr %8, align 4, !tbaa !29
  %71 = mul nsw i32 %70, 2
  store i32 %71, ptr %8, align 4, !tbaa !29
  br label %23, !llvm.loop !36

72:                                               ; preds = %27
  %73 = load i32, ptr %7, align 4, !tbaa !29
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds [2 x [256 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ4scanE1s to ptr), i64 0, i64 %74
  %76 = load i32, ptr %5, align 4, !tbaa !29
  %77 = sext i32 %76 to i64
  %78 = getelementptr inbounds [256 x i32], ptr %75, i64 0, i64 %77
  %79 = load i32, ptr %78, align 4, !tbaa !29
  %80 = load ptr, ptr %4, align 8, !tbaa !25
  %81 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %82 = load i32, ptr %6, align 4, !tbaa !29
  %83 = mul nsw i32 %81, %82
  %84 = load i32, ptr %5, align 4, !tbaa !29
  %85 = add nsw i32 %83, %84
  %86 = sext i32 %85 to i64
  %87 = getelementptr inbounds i32, ptr %80, i64 %86
  store i32 %79, ptr %87, align 4, !tbaa !29
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #7
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @uniform_condition(ptr noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !25
  store i32 %1, ptr %5, align 4, !tbaa !29
  store i32 %2, ptr %6, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #7
  %10 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %10, ptr %7, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #7
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  store i32 %11, ptr %8, align 4, !tbaa !29
  %12 = load i32, ptr %7, align 4, !tbaa !29
  %13 = load i32, ptr %7, align 4, !tbaa !29
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ17uniform_conditionE1s to ptr), i64 0, i64 %14
  store i32 %12, ptr %15, align 4, !tbaa !29
  %16 = load i32, ptr %5, align 4, !tbaa !29
  %17 = icmp sgt i32 %16, 2
  br i1 %17, label %18, label %36

18:                                               ; preds = %3
  call void @llvm.nvvm.barrier0()
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #7
  %19 = load i32, ptr %8, align 4, !tbaa !29
  %20 = sub nsw i32 %19, 1
  %21 = load i32, ptr %7, align 4, !tbaa !29
  %22 = sub nsw i32 %20, %21
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ17uniform_conditionE1s to ptr), i64 0, i64 %23
  %25 = load i32, ptr %24, align 4, !tbaa !29
  store i32 %25, ptr %9, align 4, !tbaa !29
  %26 = load i32, ptr %6, align 4, !tbaa !29
  %27 = icmp ne i32 %26, 0
  br i1 %27, label %28, label %31

28:                                               ; preds = %18
  call void @llvm.nvvm.barrier0()
  %29 = load i32, ptr %9, align 4, !tbaa !29
  %30 = add nsw i32 %29, 1000
  store i32 %30, ptr %9, align 4, !tbaa !29
  br label %31

31:                                               ; preds = %28, %18
  call void @llvm.nvvm.barrier0()
  %32 = load i32, ptr %9, align 4, !tbaa !29
  %33 = load i32, ptr %7, align 4, !tbaa !29
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ17uniform_conditionE1s to ptr), i64 0, i64 %34
  store i32 %32, ptr %35, align 4, !tbaa !29
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #7
  br label %42

36:                                               ; preds = %3
  %37 = load i32, ptr %7, align 4, !tbaa !29
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ17uniform_conditionE1s to ptr), i64 0, i64 %38
  %40 = load i32, ptr %39, align 4, !tbaa !29
  %41 = add nsw i32 %40, 7
  store i32 %41, ptr %39, align 4, !tbaa !29
  br label %42

42:                                               ; preds = %36, %31
  call void @llvm.nvvm.barrier0()
  %43 = load i32, ptr %7, align 4, !tbaa !29
  %44 = add nsw i32 %43, 1
  %45 = load i32, ptr %8, align 4, !tbaa !29
  %46 = srem i32 %44, %45
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ17uniform_conditionE1s to ptr), i64 0, i64 %47
  %49 = load i32, ptr %48, align 4, !tbaa !29
  %50 = load ptr, ptr %4, align 8, !tbaa !25
  %51 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %52 = load i32, ptr %8, align 4, !tbaa !29
  %53 = mul nsw i32 %51, %52
  %54 = load i32, ptr %7, align 4, !tbaa !29
  %55 = add nsw i32 %53, %54
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds i32, ptr %50, i64 %56
  store i32 %49, ptr %57, align 4, !tbaa !29
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #7
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @until_stable(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca ptr, align 8
  %9 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !25
  store ptr %1, ptr %4, align 8, !tbaa !25
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #7
  %10 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %10, ptr %5, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #7
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  store i32 %11, ptr %6, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #7
  store i32 0, ptr %7, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 8, ptr %8) #7
  %12 = load ptr, ptr %3, align 8, !tbaa !25
  %13 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %14 = load i32, ptr %6, align 4, !tbaa !29
  %15 = mul nsw i32 %13, %14
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds i32, ptr %12, i64 %16
  store ptr %17, ptr %8, align 8, !tbaa !25
  br label %18

18:                                               ; preds = %56, %2
  call void @llvm.nvvm.barrier0()
  %19 = load i32, ptr %5, align 4, !tbaa !29
  %20 = icmp eq i32 %19, 0
  br i1 %20, label %21, label %22

21:                                               ; preds = %18
  store i32 0, ptr addrspacecast (ptr addrspace(3) @_ZZ12until_stableE7changed to ptr), align 4, !tbaa !29
  br label %22

22:                                               ; preds = %21, %18
  call void @llvm.nvvm.barrier0()
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #7
  %23 = load i32, ptr %5, align 4, !tbaa !29
  %24 = icmp sgt i32 %23, 0
  br i1 %24, label %25, label %32

25:                                               ; preds = %22
  %26 = load ptr, ptr %8, align 8, !tbaa !25
  %27 = load i32, ptr %5, align 4, !tbaa !29
  %28 = sub nsw i32 %27, 1
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds i32, ptr %26, i64 %29
  %31 = load i32, ptr %30, align 4, !tbaa !29
  br label %38

32:                                               ; preds = %22
  %33 = load ptr, ptr %8, align 8, !tbaa !25
  %34 = load i32, ptr %5, align 4, !tbaa !29
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds i32, ptr %33, i64 %35
  %37 = load i32, ptr %36, align 4, !tbaa !29
  br label %38

38:                                               ; preds = %32, %25
  %39 = phi i32 [ %31, %25 ], [ %37, %32 ]
  store i32 %39, ptr %9, align 4, !tbaa !29
  call void @llvm.nvvm.barrier0()
  %40 = load i32, ptr %9, align 4, !tbaa !29
  %41 = load ptr, ptr %8, align 8, !tbaa !25
  %42 = load i32, ptr %5, align 4, !tbaa !29
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds i32, ptr %41, i64 %43
  %45 = load i32, ptr %44, align 4, !tbaa !29
  %46 = icmp sgt i32 %40, %45
  br i1 %46, label %47, label %53

47:                                               ; preds = %38
  %48 = load i32, ptr %9, align 4, !tbaa !29
  %49 = load ptr, ptr %8, align 8, !tbaa !25
  %50 = load i32, ptr %5, align 4, !tbaa !29
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds i32, ptr %49, i64 %51
  store i32 %48, ptr %52, align 4, !tbaa !29
  store i32 1, ptr addrspacecast (ptr addrspace(3) @_ZZ12until_stableE7changed to ptr), align 4, !tbaa !29
  br label %53

53:                                               ; preds = %47, %38
  %54 = load i32, ptr %7, align 4, !tbaa !29
  %55 = add nsw i32 %54, 1
  store i32 %55, ptr %7, align 4, !tbaa !29
  call void @llvm.nvvm.barrier0()
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #7
  br label %56

56:                                               ; preds = %53
  %57 = load i32, ptr addrspacecast (ptr addrspace(3) @_ZZ12until_stableE7changed to ptr), align 4, !tbaa !29
  %58 = icmp ne i32 %57, 0
  br i1 %58, label %18, label %59, !llvm.loop !37

59:                                               ; preds = %56
  %60 = load i32, ptr %5, align 4, !tbaa !29
  %61 = icmp eq i32 %60, 0
  br i1 %61, label %62, label %68

62:                                               ; preds = %59
  %63 = load i32, ptr %7, align 4, !tbaa !29
  %64 = load ptr, ptr %4, align 8, !tbaa !25
  %65 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %66 = sext i32 %65 to i64
  %67 = getelementptr inbounds i32, ptr %64, i64 %66
  store i32 %63, ptr %67, align 4, !tbaa !29
  br label %68

68:                                               ; preds = %62, %59
  call void @llvm.lifetime.end.p0(i64 8, ptr %8) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #7
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @divergent_barrier(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8, !tbaa !25
  call void @llvm.lifetime.start.p0(i64 4, ptr %3) #7
  %5 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %5, ptr %3, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %4) #7
  %6 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  store i32 %6, ptr %4, align 4, !tbaa !29
  %7 = load i32, ptr %3, align 4, !tbaa !29
  %8 = load i32, ptr %3, align 4, !tbaa !29
  %9 = sext i32 %8 to i64
  %10 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ17divergent_barrierE1s to ptr), i64 0, i64 %9
  store i32 %7, ptr %10, align 4, !tbaa !29
  %11 = load i32, ptr %3, align 4, !tbaa !29
  %12 = load i32, ptr %4, align 4, !tbaa !29
  %13 = sdiv i32 %12, 3
  %14 = icmp slt i32 %11, %13
  br i1 %14, label %15, label %31

15:                                               ; preds = %1
  call void @llvm.nvvm.barrier0()
  %16 = load i32, ptr %4, align 4, !tbaa !29
  %17 = sub nsw i32 %16, 1
  %18 = load i32, ptr %3, align 4, !tbaa !29
  %19 = sub nsw i32 %17, %18
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ17divergent_barrierE1s to ptr), i64 0, i64 %20
  %22 = load i32, ptr %21, align 4, !tbaa !29
  %23 = load ptr, ptr %2, align 8, !tbaa !25
  %24 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %25 = load i32, ptr %4, align 4, !tbaa !29
  %26 = mul nsw i32 %24, %25
  %27 = load i32, ptr %3, align 4, !tbaa !29
  %28 = add nsw i32 %26, %27
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds i32, ptr %23, i64 %29
  store i32 %22, ptr %30, align 4, !tbaa !29
  br label %53

31:                                               ; preds = %1
  %32 = load i32, ptr %3, align 4, !tbaa !29
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ17divergent_barrierE1s to ptr), i64 0, i64 %33
  %35 = load i32, ptr %34, align 4, !tbaa !29
  %36 = add nsw i32 %35, 100
  store i32 %36, ptr %34, align 4, !tbaa !29
  call void @llvm.nvvm.barrier0()
  %37 = load i32, ptr %4, align 4, !tbaa !29
  %38 = sub nsw i32 %37, 1
  %39 = load i32, ptr %3, align 4, !tbaa !29
  %40 = sub nsw i32 %38, %39
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ17divergent_barrierE1s to ptr), i64 0, i64 %41
  %43 = load i32, ptr %42, align 4, !tbaa !29
  %44 = mul nsw i32 %43, 2
  %45 = load ptr, ptr %2, align 8, !tbaa !25
  %46 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %47 = load i32, ptr %4, align 4, !tbaa !29
  %48 = mul nsw i32 %46, %47
  %49 = load i32, ptr %3, align 4, !tbaa !29
  %50 = add nsw i32 %48, %49
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds i32, ptr %45, i64 %51
  store i32 %44, ptr %52, align 4, !tbaa !29
  br label %53

53:                                               ; preds = %31, %15
  call void @llvm.lifetime.end.p0(i64 4, ptr %4) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %3) #7
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @divergent_loop(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store ptr %0, ptr %2, align 8, !tbaa !25
  call void @llvm.lifetime.start.p0(i64 4, ptr %3) #7
  %6 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %6, ptr %3, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %4) #7
  store i32 0, ptr %4, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #7
  store i32 0, ptr %5, align 4, !tbaa !29
  br label %7

7:                                                ; preds = %18, %1
  %8 = load i32, ptr %5, align 4, !tbaa !29
  %9 = load i32, ptr %3, align 4, !tbaa !29
  %10 = srem i32 %9, 3
  %11 = icmp sle i32 %8, %10
  br i1 %11, label %13, label %12

12:                                               ; preds = %7
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #7
  br label %21

13:                                               ; preds = %7
  call void @llvm.nvvm.barrier0()
  %14 = load i32, ptr %5, align 4, !tbaa !29
  %15 = add nsw i32 %14, 1
  %16 = load i32, ptr %4, align 4, !tbaa !29
  %17 = add nsw i32 %16, %15
  store i32 %17, ptr %4, align 4, !tbaa !29
  br label %18

18:                                               ; preds = %13
  %19 = load i32, ptr %5, align 4, !tbaa !29
  %20 = add nsw i32 %19, 1
  store i32 %20, ptr %5, align 4, !tbaa !29
  br label %7, !llvm.loop !38

21:                                               ; preds = %12
  %22 = load i32, ptr %4, align 4, !tbaa !29
  %23 = load ptr, ptr %2, align 8, !tbaa !25
  %24 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %25 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %26 = mul nsw i32 %24, %25
  %27 = load i32, ptr %3, align 4, !tbaa !29
  %28 = add nsw i32 %26, %27
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds i32, ptr %23, i64 %29
  store i32 %22, ptr %30, align 4, !tbaa !29
  call void @llvm.lifetime.end.p0(i64 4, ptr %4) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %3) #7
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @early_return(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !25
  store ptr %1, ptr %5, align 8, !tbaa !25
  store i32 %2, ptr %6, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #7
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %11, ptr %7, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #7
  %12 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %13 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %14 = mul nsw i32 %12, %13
  %15 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %16 = add nsw i32 %14, %15
  store i32 %16, ptr %8, align 4, !tbaa !29
  %17 = load i32, ptr %7, align 4, !tbaa !29
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12early_returnE1s to ptr), i64 0, i64 %18
  store i32 -1, ptr %19, align 4, !tbaa !29
  %20 = load i32, ptr %8, align 4, !tbaa !29
  %21 = load i32, ptr %6, align 4, !tbaa !29
  %22 = icmp sge i32 %20, %21
  br i1 %22, label %23, label %24

23:                                               ; preds = %3
  store i32 1, ptr %9, align 4
  br label %55

24:                                               ; preds = %3
  %25 = load ptr, ptr %4, align 8, !tbaa !25
  %26 = load i32, ptr %8, align 4, !tbaa !29
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds i32, ptr %25, i64 %27
  %29 = load i32, ptr %28, align 4, !tbaa !29
  %30 = load i32, ptr %7, align 4, !tbaa !29
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12early_returnE1s to ptr), i64 0, i64 %31
  store i32 %29, ptr %32, align 4, !tbaa !29
  call void @llvm.nvvm.barrier0()
  call void @llvm.lifetime.start.p0(i64 4, ptr %10) #7
  %33 = load i32, ptr %7, align 4, !tbaa !29
  %34 = add nsw i32 %33, 1
  %35 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %36 = srem i32 %34, %35
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12early_returnE1s to ptr), i64 0, i64 %37
  %39 = load i32, ptr %38, align 4, !tbaa !29
  store i32 %39, ptr %10, align 4, !tbaa !29
  call void @llvm.nvvm.barrier0()
  %40 = load i32, ptr %10, align 4, !tbaa !29
  %41 = mul nsw i32 %40, 2
  %42 = load i32, ptr %7, align 4, !tbaa !29
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12early_returnE1s to ptr), i64 0, i64 %43
  store i32 %41, ptr %44, align 4, !tbaa !29
  call void @llvm.nvvm.barrier0()
  %45 = load i32, ptr %10, align 4, !tbaa !29
  %46 = load i32, ptr %7, align 4, !tbaa !29
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12early_returnE1s to ptr), i64 0, i64 %47
  %49 = load i32, ptr %48, align 4, !tbaa !29
  %50 = add nsw i32 %45, %49
  %51 = load ptr, ptr %5, align 8, !tbaa !25
  %52 = load i32, ptr %8, align 4, !tbaa !29
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds i32, ptr %51, i64 %53
  store i32 %50, ptr %54, align 4, !tbaa !29
  call void @llvm.lifetime.end.p0(i64 4, ptr %10) #7
  store i32 0, ptr %9, align 4
  br label %55

55:                                               ; preds = %24, %23
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #7
  %56 = load i32, ptr %9, align 4
  switch i32 %56, label %58 [
    i32 0, label %57
    i32 1, label %57
  ]

57:                                               ; preds = %55, %55
  ret void

58:                                               ; preds = %55
  unreachable
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @return_in_loop(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store ptr %0, ptr %2, align 8, !tbaa !25
  call void @llvm.lifetime.start.p0(i64 4, ptr %3) #7
  %6 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %6, ptr %3, align 4, !tbaa !29
  %7 = load i32, ptr %3, align 4, !tbaa !29
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [64 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ14return_in_loopE1s to ptr), i64 0, i64 %8
  store i32 0, ptr %9, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %4) #7
  store i32 0, ptr %4, align 4, !tbaa !29
  br label %10

10:                                               ; preds = %38, %1
  %11 = load i32, ptr %4, align 4, !tbaa !29
  %12 = icmp slt i32 %11, 64
  br i1 %12, label %14, label %13

13:                                               ; preds = %10
  store i32 2, ptr %5, align 4
  br label %41

14:                                               ; preds = %10
  call void @llvm.nvvm.barrier0()
  %15 = load i32, ptr %3, align 4, !tbaa !29
  %16 = load i32, ptr %4, align 4, !tbaa !29
  %17 = icmp eq i32 %15, %16
  br i1 %17, label %18, label %31

18:                                               ; preds = %14
  %19 = load i32, ptr %3, align 4, !tbaa !29
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [64 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ14return_in_loopE1s to ptr), i64 0, i64 %20
  %22 = load i32, ptr %21, align 4, !tbaa !29
  %23 = load ptr, ptr %2, align 8, !tbaa !25
  %24 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %25 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %26 = mul nsw i32 %24, %25
  %27 = load i32, ptr %3, align 4, !tbaa !29
  %28 = add nsw i32 %26, %27
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds i32, ptr %23, i64 %29
  store i32 %22, ptr %30, align 4, !tbaa !29
  store i32 1, ptr %5, align 4
  br label %41

31:                                               ; preds = %14
  %32 = load i32, ptr %4, align 4, !tbaa !29
  %33 = load i32, ptr %3, align 4, !tbaa !29
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds [64 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ14return_in_loopE1s to ptr), i64 0, i64 %34
  %36 = load i32, ptr %35, align 4, !tbaa !29
  %37 = add nsw i32 %36, %32
  store i32 %37, ptr %35, align 4, !tbaa !29
  call void @llvm.nvvm.barrier0()
  br label %38

38:                                               ; preds = %31
  %39 = load i32, ptr %4, align 4, !tbaa !29
  %40 = add nsw i32 %39, 1
  store i32 %40, ptr %4, align 4, !tbaa !29
  br label %10, !llvm.loop !39

41:                                               ; preds = %18, %13
  call void @llvm.lifetime.end.p0(i64 4, ptr %4) #7
  %42 = load i32, ptr %5, align 4
  switch i32 %42, label %44 [
    i32 2, label %43
  ]

43:                                               ; preds = %41
  store i32 0, ptr %5, align 4
  br label %44

44:                                               ; preds = %43, %41
  call void @llvm.lifetime.end.p0(i64 4, ptr %3) #7
  %45 = load i32, ptr %5, align 4
  switch i32 %45, label %47 [
    i32 0, label %46
    i32 1, label %46
  ]

46:                                               ; preds = %44, %44
  ret void

47:                                               ; preds = %44
  unreachable
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @vote_barriers(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !25
  store ptr %1, ptr %4, align 8, !tbaa !25
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #7
  %10 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %10, ptr %5, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #7
  %11 = load ptr, ptr %3, align 8, !tbaa !25
  %12 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %13 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %14 = mul nsw i32 %12, %13
  %15 = load i32, ptr %5, align 4, !tbaa !29
  %16 = add nsw i32 %14, %15
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds i32, ptr %11, i64 %17
  %19 = load i32, ptr %18, align 4, !tbaa !29
  store i32 %19, ptr %6, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #7
  %20 = load i32, ptr %6, align 4, !tbaa !29
  %21 = icmp sgt i32 %20, 3
  %22 = zext i1 %21 to i32
  %23 = call i32 @llvm.nvvm.barrier0.popc(i32 %22)
  store i32 %23, ptr %7, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #7
  %24 = load i32, ptr %6, align 4, !tbaa !29
  %25 = icmp sgt i32 %24, 0
  %26 = zext i1 %25 to i32
  %27 = call i32 @llvm.nvvm.barrier0.and(i32 %26)
  store i32 %27, ptr %8, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #7
  %28 = load i32, ptr %6, align 4, !tbaa !29
  %29 = icmp sgt i32 %28, 8
  %30 = zext i1 %29 to i32
  %31 = call i32 @llvm.nvvm.barrier0.or(i32 %30)
  store i32 %31, ptr %9, align 4, !tbaa !29
  %32 = load i32, ptr %7, align 4, !tbaa !29
  %33 = mul nsw i32 %32, 4
  %34 = load i32, ptr %8, align 4, !tbaa !29
  %35 = icmp ne i32 %34, 0
  %36 = zext i1 %35 to i64
  %37 = select i1 %35, i32 2, i32 0
  %38 = add nsw i32 %33, %37
  %39 = load i32, ptr %9, align 4, !tbaa !29
  %40 = icmp ne i32 %39, 0
  %41 = zext i1 %40 to i64
  %42 = select i1 %40, i32 1, i32 0
  %43 = add nsw i32 %38, %42
  %44 = load ptr, ptr %4, align 8, !tbaa !25
  %45 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %46 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %47 = mul nsw i32 %45, %46
  %48 = load i32, ptr %5, align 4, !tbaa !29
  %49 = add nsw i32 %47, %48
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds i32, ptr %44, i64 %50
  store i32 %43, ptr %51, align 4, !tbaa !29
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #7
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare i32 @llvm.nvvm.barrier0.popc(i32) #3

; Function Attrs: convergent nocallback nounwind
declare i32 @llvm.nvvm.barrier0.and(i32) #3

; Function Attrs: convergent nocallback nounwind
declare i32 @llvm.nvvm.barrier0.or(i32) #3

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @vote_after_return(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !25
  store ptr %1, ptr %5, align 8, !tbaa !25
  store i32 %2, ptr %6, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #7
  %12 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %12, ptr %7, align 4, !tbaa !29
  %13 = load i32, ptr %7, align 4, !tbaa !29
  %14 = load i32, ptr %6, align 4, !tbaa !29
  %15 = icmp sge i32 %13, %14
  br i1 %15, label %16, label %17

16:                                               ; preds = %3
  store i32 1, ptr %8, align 4
  br label %42

17:                                               ; preds = %3
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #7
  %18 = load ptr, ptr %4, align 8, !tbaa !25
  %19 = load i32, ptr %7, align 4, !tbaa !29
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds i32, ptr %18, i64 %20
  %22 = load i32, ptr %21, align 4, !tbaa !29
  store i32 %22, ptr %9, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %10) #7
  %23 = load i32, ptr %9, align 4, !tbaa !29
  %24 = icmp sgt i32 %23, 3
  %25 = zext i1 %24 to i32
  %26 = call i32 @llvm.nvvm.barrier0.popc(i32 %25)
  store i32 %26, ptr %10, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %11) #7
  %27 = load i32, ptr %9, align 4, !tbaa !29
  %28 = icmp sgt i32 %27, 0
  %29 = zext i1 %28 to i32
  %30 = call i32 @llvm.nvvm.barrier0.and(i32 %29)
  store i32 %30, ptr %11, align 4, !tbaa !29
  %31 = load i32, ptr %10, align 4, !tbaa !29
  %32 = mul nsw i32 %31, 2
  %33 = load i32, ptr %11, align 4, !tbaa !29
  %34 = icmp ne i32 %33, 0
  %35 = zext i1 %34 to i64
  %36 = select i1 %34, i32 1, i32 0
  %37 = add nsw i32 %32, %36
  %38 = load ptr, ptr %5, align 8, !tbaa !25
  %39 = load i32, ptr %7, align 4, !tbaa !29
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds i32, ptr %38, i64 %40
  store i32 %37, ptr %41, align 4, !tbaa !29
  call void @llvm.lifetime.end.p0(i64 4, ptr %11) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %10) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #7
  store i32 0, ptr %8, align 4
  br label %42

42:                                               ; preds = %17, %16
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #7
  %43 = load i32, ptr %8, align 4
  switch i32 %43, label %45 [
    i32 0, label %44
    i32 1, label %44
  ]

44:                                               ; preds = %42, %42
  ret void

45:                                               ; preds = %42
  unreachable
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @local_array(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca [5 x i32], align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !25
  store ptr %1, ptr %4, align 8, !tbaa !25
  call void @llvm.lifetime.start.p0(i64 20, ptr %5) #7
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #7
  store i32 0, ptr %6, align 4, !tbaa !29
  br label %9

9:                                                ; preds = %21, %2
  %10 = load i32, ptr %6, align 4, !tbaa !29
  %11 = icmp slt i32 %10, 5
  br i1 %11, label %13, label %12

12:                                               ; preds = %9
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #7
  br label %24

13:                                               ; preds = %9
  %14 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %15 = mul nsw i32 %14, 10
  %16 = load i32, ptr %6, align 4, !tbaa !29
  %17 = add nsw i32 %15, %16
  %18 = load i32, ptr %6, align 4, !tbaa !29
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [5 x i32], ptr %5, i64 0, i64 %19
  store i32 %17, ptr %20, align 4, !tbaa !29
  br label %21

21:                                               ; preds = %13
  %22 = load i32, ptr %6, align 4, !tbaa !29
  %23 = add nsw i32 %22, 1
  store i32 %23, ptr %6, align 4, !tbaa !29
  br label %9, !llvm.loop !40

24:                                               ; preds = %12
  call void @llvm.nvvm.barrier0()
  %25 = load ptr, ptr %3, align 8, !tbaa !25
  %26 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds i32, ptr %25, i64 %27
  %29 = load i32, ptr %28, align 4, !tbaa !29
  %30 = srem i32 %29, 5
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds [5 x i32], ptr %5, i64 0, i64 %31
  %33 = load i32, ptr %32, align 4, !tbaa !29
  %34 = add nsw i32 %33, 1000
  store i32 %34, ptr %32, align 4, !tbaa !29
  call void @llvm.nvvm.barrier0()
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #7
  store i32 0, ptr %7, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #7
  store i32 0, ptr %8, align 4, !tbaa !29
  br label %35

35:                                               ; preds = %49, %24
  %36 = load i32, ptr %8, align 4, !tbaa !29
  %37 = icmp slt i32 %36, 5
  br i1 %37, label %39, label %38

38:                                               ; preds = %35
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #7
  br label %52

39:                                               ; preds = %35
  %40 = load i32, ptr %8, align 4, !tbaa !29
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [5 x i32], ptr %5, i64 0, i64 %41
  %43 = load i32, ptr %42, align 4, !tbaa !29
  %44 = load i32, ptr %8, align 4, !tbaa !29
  %45 = add nsw i32 %44, 1
  %46 = mul nsw i32 %43, %45
  %47 = load i32, ptr %7, align 4, !tbaa !29
  %48 = add nsw i32 %47, %46
  store i32 %48, ptr %7, align 4, !tbaa !29
  br label %49

49:                                               ; preds = %39
  %50 = load i32, ptr %8, align 4, !tbaa !29
  %51 = add nsw i32 %50, 1
  store i32 %51, ptr %8, align 4, !tbaa !29
  br label %35, !llvm.loop !41

52:                                               ; preds = %38
  %53 = load i32, ptr %7, align 4, !tbaa !29
  %54 = load ptr, ptr %3, align 8, !tbaa !25
  %55 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds i32, ptr %54, i64 %56
  %58 = load i32, ptr %57, align 4, !tbaa !29
  %59 = add nsw i32 %58, 1
  %60 = srem i32 %59, 5
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds [5 x i32], ptr %5, i64 0, i64 %61
  %63 = load i32, ptr %62, align 4, !tbaa !29
  %64 = add nsw i32 %53, %63
  %65 = load ptr, ptr %4, align 8, !tbaa !25
  %66 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds i32, ptr %65, i64 %67
  store i32 %64, ptr %68, align 4, !tbaa !29
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #7
  call void @llvm.lifetime.end.p0(i64 20, ptr %5) #7
  ret void
}

; Function Attrs: convergent mustprogress noinline nounwind
define dso_local void @_Z4bumpPii(ptr noundef %0, i32 noundef %1) #4 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !25
  store i32 %1, ptr %4, align 4, !tbaa !29
  %5 = load i32, ptr %4, align 4, !tbaa !29
  %6 = load ptr, ptr %3, align 8, !tbaa !25
  %7 = load i32, ptr %6, align 4, !tbaa !29
  %8 = add nsw i32 %7, %5
  store i32 %8, ptr %6, align 4, !tbaa !29
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @local_address(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !25
  call void @llvm.lifetime.start.p0(i64 4, ptr %3) #7
  %6 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %6, ptr %3, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %4) #7
  %7 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = mul nsw i32 2, %7
  store i32 %8, ptr %4, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 8, ptr %5) #7
  %9 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = srem i32 %9, 2
  %11 = icmp ne i32 %10, 0
  br i1 %11, label %12, label %13

12:                                               ; preds = %1
  br label %14

13:                                               ; preds = %1
  br label %14

14:                                               ; preds = %13, %12
  %15 = phi ptr [ %3, %12 ], [ %4, %13 ]
  store ptr %15, ptr %5, align 8, !tbaa !25
  call void @llvm.nvvm.barrier0()
  %16 = load ptr, ptr %5, align 8, !tbaa !25
  call void @_Z4bumpPii(ptr noundef %16, i32 noundef 5) #8
  call void @llvm.nvvm.barrier0()
  %17 = load i32, ptr %3, align 4, !tbaa !29
  %18 = mul nsw i32 %17, 1000
  %19 = load i32, ptr %4, align 4, !tbaa !29
  %20 = add nsw i32 %18, %19
  %21 = load ptr, ptr %2, align 8, !tbaa !25
  %22 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds i32, ptr %21, i64 %23
  store i32 %20, ptr %24, align 4, !tbaa !29
  call void @llvm.lifetime.end.p0(i64 8, ptr %5) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %4) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %3) #7
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @nested_loops(ptr noundef %0, ptr noundef %1, i32 noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  store ptr %0, ptr %5, align 8, !tbaa !25
  store ptr %1, ptr %6, align 8, !tbaa !25
  store i32 %2, ptr %7, align 4, !tbaa !29
  store i32 %3, ptr %8, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #7
  %16 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %16, ptr %9, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %10) #7
  %17 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  store i32 %17, ptr %10, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %11) #7
  store i32 0, ptr %11, align 4, !tbaa !29
  %18 = load ptr, ptr %5, align 8, !tbaa !25
  %19 = load i32, ptr %9, align 4, !tbaa !29
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds i32, ptr %18, i64 %20
  %22 = load i32, ptr %21, align 4, !tbaa !29
  %23 = load i32, ptr %9, align 4, !tbaa !29
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12nested_loopsE1s to ptr), i64 0, i64 %24
  store i32 %22, ptr %25, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %12) #7
  store i32 0, ptr %12, align 4, !tbaa !29
  br label %26

26:                                               ; preds = %71, %4
  %27 = load i32, ptr %12, align 4, !tbaa !29
  %28 = load i32, ptr %7, align 4, !tbaa !29
  %29 = icmp slt i32 %27, %28
  br i1 %29, label %31, label %30

30:                                               ; preds = %26
  store i32 2, ptr %13, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %12) #7
  br label %74

31:                                               ; preds = %26
  call void @llvm.lifetime.start.p0(i64 4, ptr %14) #7
  store i32 0, ptr %14, align 4, !tbaa !29
  br label %32

32:                                               ; preds = %57, %31
  %33 = load i32, ptr %14, align 4, !tbaa !29
  %34 = load i32, ptr %8, align 4, !tbaa !29
  %35 = load i32, ptr %12, align 4, !tbaa !29
  %36 = add nsw i32 %34, %35
  %37 = icmp slt i32 %33, %36
  br i1 %37, label %39, label %38

38:                                               ; preds = %32
  store i32 5, ptr %13, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %14) #7
  br label %60

39:                                               ; preds = %32
  call void @llvm.nvvm.barrier0()
  call void @llvm.lifetime.start.p0(i64 4, ptr %15) #7
  %40 = load i32, ptr %9, align 4, !tbaa !29
  %41 = load i32, ptr %14, align 4, !tbaa !29
  %42 = add nsw i32 %40, %41
  %43 = load i32, ptr %10, align 4, !tbaa !29
  %44 = srem i32 %42, %43
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12nested_loopsE1s to ptr), i64 0, i64 %45
  %47 = load i32, ptr %46, align 4, !tbaa !29
  store i32 %47, ptr %15, align 4, !tbaa !29
  call void @llvm.nvvm.barrier0()
  %48 = load i32, ptr %15, align 4, !tbaa !29
  %49 = load i32, ptr %12, align 4, !tbaa !29
  %50 = add nsw i32 %48, %49
  %51 = load i32, ptr %9, align 4, !tbaa !29
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12nested_loopsE1s to ptr), i64 0, i64 %52
  store i32 %50, ptr %53, align 4, !tbaa !29
  %54 = load i32, ptr %15, align 4, !tbaa !29
  %55 = load i32, ptr %11, align 4, !tbaa !29
  %56 = add nsw i32 %55, %54
  store i32 %56, ptr %11, align 4, !tbaa !29
  call void @llvm.lifetime.end.p0(i64 4, ptr %15) #7
  br label %57

57:                                               ; preds = %39
  %58 = load i32, ptr %14, align 4, !tbaa !29
  %59 = add nsw i32 %58, 1
  store i32 %59, ptr %14, align 4, !tbaa !29
  br label %32, !llvm.loop !42

60:                                               ; preds = %38
  call void @llvm.nvvm.barrier0()
  %61 = load i32, ptr %12, align 4, !tbaa !29
  %62 = srem i32 %61, 2
  %63 = icmp ne i32 %62, 0
  br i1 %63, label %64, label %65

64:                                               ; preds = %60
  br label %71

65:                                               ; preds = %60
  %66 = load i32, ptr %9, align 4, !tbaa !29
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12nested_loopsE1s to ptr), i64 0, i64 %67
  %69 = load i32, ptr %68, align 4, !tbaa !29
  %70 = sub nsw i32 %69, 1
  store i32 %70, ptr %68, align 4, !tbaa !29
  br label %71

71:                                               ; preds = %65, %64
  %72 = load i32, ptr %12, align 4, !tbaa !29
  %73 = add nsw i32 %72, 1
  store i32 %73, ptr %12, align 4, !tbaa !29
  br label %26, !llvm.loop !43

74:                                               ; preds = %30
  call void @llvm.nvvm.barrier0()
  %75 = load i32, ptr %11, align 4, !tbaa !29
  %76 = load i32, ptr %9, align 4, !tbaa !29
  %77 = sext i32 %76 to i64
  %78 = getelementptr inbounds [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12nested_loopsE1s to ptr), i64 0, i64 %77
  %79 = load i32, ptr %78, align 4, !tbaa !29
  %80 = add nsw i32 %75, %79
  %81 = load ptr, ptr %6, align 8, !tbaa !25
  %82 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %83 = load i32, ptr %10, align 4, !tbaa !29
  %84 = mul nsw i32 %82, %83
  %85 = load i32, ptr %9, align 4, !tbaa !29
  %86 = add nsw i32 %84, %85
  %87 = sext i32 %86 to i64
  %88 = getelementptr inbounds i32, ptr %81, i64 %87
  store i32 %80, ptr %88, align 4, !tbaa !29
  call void @llvm.lifetime.end.p0(i64 4, ptr %11) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %10) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #7
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @reverse_dynamic(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !25
  store i32 %1, ptr %4, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #7
  %8 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %8, ptr %5, align 4, !tbaa !29
  %9 = load i32, ptr %5, align 4, !tbaa !29
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %11, label %12

11:                                               ; preds = %2
  store i32 5, ptr addrspacecast (ptr addrspace(3) @_ZZ15reverse_dynamicE6offset to ptr), align 4, !tbaa !29
  br label %12

12:                                               ; preds = %11, %2
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #7
  %13 = load i32, ptr %5, align 4, !tbaa !29
  store i32 %13, ptr %6, align 4, !tbaa !29
  br label %14

14:                                               ; preds = %28, %12
  %15 = load i32, ptr %6, align 4, !tbaa !29
  %16 = load i32, ptr %4, align 4, !tbaa !29
  %17 = icmp slt i32 %15, %16
  br i1 %17, label %19, label %18

18:                                               ; preds = %14
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #7
  br label %32

19:                                               ; preds = %14
  %20 = load ptr, ptr %3, align 8, !tbaa !25
  %21 = load i32, ptr %6, align 4, !tbaa !29
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds i32, ptr %20, i64 %22
  %24 = load i32, ptr %23, align 4, !tbaa !29
  %25 = load i32, ptr %6, align 4, !tbaa !29
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [0 x i32], ptr addrspacecast (ptr addrspace(3) @dynamic_shared to ptr), i64 0, i64 %26
  store i32 %24, ptr %27, align 4, !tbaa !29
  br label %28

28:                                               ; preds = %19
  %29 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %30 = load i32, ptr %6, align 4, !tbaa !29
  %31 = add nsw i32 %30, %29
  store i32 %31, ptr %6, align 4, !tbaa !29
  br label %14, !llvm.loop !44

32:                                               ; preds = %18
  call void @llvm.nvvm.barrier0()
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #7
  %33 = load i32, ptr %5, align 4, !tbaa !29
  store i32 %33, ptr %7, align 4, !tbaa !29
  br label %34

34:                                               ; preds = %53, %32
  %35 = load i32, ptr %7, align 4, !tbaa !29
  %36 = load i32, ptr %4, align 4, !tbaa !29
  %37 = icmp slt i32 %35, %36
  br i1 %37, label %39, label %38

38:                                               ; preds = %34
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #7
  br label %57

39:                                               ; preds = %34
  %40 = load i32, ptr %4, align 4, !tbaa !29
  %41 = sub nsw i32 %40, 1
  %42 = load i32, ptr %7, align 4, !tbaa !29
  %43 = sub nsw i32 %41, %42
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds [0 x i32], ptr addrspacecast (ptr addrspace(3) @dynamic_shared to ptr), i64 0, i64 %44
  %46 = load i32, ptr %45, align 4, !tbaa !29
  %47 = load i32, ptr addrspacecast (ptr addrspace(3) @_ZZ15reverse_dynamicE6offset to ptr), align 4, !tbaa !29
  %48 = add nsw i32 %46, %47
  %49 = load ptr, ptr %3, align 8, !tbaa !25
  %50 = load i32, ptr %7, align 4, !tbaa !29
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds i32, ptr %49, i64 %51
  store i32 %48, ptr %52, align 4, !tbaa !29
  br label %53

53:                                               ; preds = %39
  %54 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %55 = load i32, ptr %7, align 4, !tbaa !29
  %56 = add nsw i32 %55, %54
  store i32 %56, ptr %7, align 4, !tbaa !29
  br label %34, !llvm.loop !45

57:                                               ; preds = %38
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #7
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @cube(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8, !tbaa !25
  %5 = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %6 = mul nsw i32 %5, 100
  %7 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %8 = mul nsw i32 %7, 10
  %9 = add nsw i32 %6, %8
  %10 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add nsw i32 %9, %10
  %12 = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %13 = sext i32 %12 to i64
  %14 = getelementptr inbounds [2 x [3 x [5 x i32]]], ptr addrspacecast (ptr addrspace(3) @_ZZ4cubeE1s to ptr), i64 0, i64 %13
  %15 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds [3 x [5 x i32]], ptr %14, i64 0, i64 %16
  %18 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [5 x i32], ptr %17, i64 0, i64 %19
  store i32 %11, ptr %20, align 4, !tbaa !29
  call void @llvm.nvvm.barrier0()
  call void @llvm.lifetime.start.p0(i64 4, ptr %3) #7
  %21 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %22 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %23 = mul nsw i32 %21, %22
  %24 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %25 = add nsw i32 %23, %24
  %26 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %27 = mul nsw i32 %25, %26
  %28 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %29 = add nsw i32 %27, %28
  store i32 %29, ptr %3, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %4) #7
  %30 = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %31 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %32 = mul nsw i32 %30, %31
  %33 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %34 = add nsw i32 %32, %33
  %35 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %36 = mul nsw i32 %34, %35
  %37 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %38 = add nsw i32 %36, %37
  store i32 %38, ptr %4, align 4, !tbaa !29
  %39 = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %40 = sub nsw i32 1, %39
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [2 x [3 x [5 x i32]]], ptr addrspacecast (ptr addrspace(3) @_ZZ4cubeE1s to ptr), i64 0, i64 %41
  %43 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %44 = sub nsw i32 2, %43
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds [3 x [5 x i32]], ptr %42, i64 0, i64 %45
  %47 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %48 = sub nsw i32 4, %47
  %49 = sext i32 %48 to i64
  %50 = getelementptr inbounds [5 x i32], ptr %46, i64 0, i64 %49
  %51 = load i32, ptr %50, align 4, !tbaa !29
  %52 = load i32, ptr %3, align 4, !tbaa !29
  %53 = mul nsw i32 %52, 1000
  %54 = add nsw i32 %51, %53
  %55 = load ptr, ptr %2, align 8, !tbaa !25
  %56 = load i32, ptr %3, align 4, !tbaa !29
  %57 = mul nsw i32 %56, 30
  %58 = load i32, ptr %4, align 4, !tbaa !29
  %59 = add nsw i32 %57, %58
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds i32, ptr %55, i64 %60
  store i32 %54, ptr %61, align 4, !tbaa !29
  call void @llvm.lifetime.end.p0(i64 4, ptr %4) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %3) #7
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.z() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.z() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.y() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #2

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @last_block(ptr noundef %0, ptr noundef %1, ptr noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  store ptr %0, ptr %5, align 8, !tbaa !25
  store ptr %1, ptr %6, align 8, !tbaa !25
  store ptr %2, ptr %7, align 8, !tbaa !25
  store i32 %3, ptr %8, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #7
  %13 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %13, ptr %9, align 4, !tbaa !29
  %14 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %15 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %16 = mul nsw i32 %14, %15
  %17 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %18 = add nsw i32 %16, %17
  %19 = load i32, ptr %8, align 4, !tbaa !29
  %20 = icmp slt i32 %18, %19
  br i1 %20, label %21, label %31

21:                                               ; preds = %4
  %22 = load ptr, ptr %5, align 8, !tbaa !25
  %23 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %24 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %25 = mul nsw i32 %23, %24
  %26 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %27 = add nsw i32 %25, %26
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds i32, ptr %22, i64 %28
  %30 = load i32, ptr %29, align 4, !tbaa !29
  br label %32

31:                                               ; preds = %4
  br label %32

32:                                               ; preds = %31, %21
  %33 = phi i32 [ %30, %21 ], [ 0, %31 ]
  %34 = load i32, ptr %9, align 4, !tbaa !29
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds [64 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ10last_blockE1s to ptr), i64 0, i64 %35
  store i32 %33, ptr %36, align 4, !tbaa !29
  call void @llvm.nvvm.barrier0()
  call void @llvm.lifetime.start.p0(i64 4, ptr %10) #7
  store i32 32, ptr %10, align 4, !tbaa !29
  br label %37

37:                                               ; preds = %58, %32
  %38 = load i32, ptr %10, align 4, !tbaa !29
  %39 = icmp ne i32 %38, 0
  br i1 %39, label %41, label %40

40:                                               ; preds = %37
  call void @llvm.lifetime.end.p0(i64 4, ptr %10) #7
  br label %61

41:                                               ; preds = %37
  %42 = load i32, ptr %9, align 4, !tbaa !29
  %43 = load i32, ptr %10, align 4, !tbaa !29
  %44 = icmp slt i32 %42, %43
  br i1 %44, label %45, label %57

45:                                               ; preds = %41
  %46 = load i32, ptr %9, align 4, !tbaa !29
  %47 = load i32, ptr %10, align 4, !tbaa !29
  %48 = add nsw i32 %46, %47
  %49 = sext i32 %48 to i64
  %50 = getelementptr inbounds [64 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ10last_blockE1s to ptr), i64 0, i64 %49
  %51 = load i32, ptr %50, align 4, !tbaa !29
  %52 = load i32, ptr %9, align 4, !tbaa !29
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds [64 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ10last_blockE1s to ptr), i64 0, i64 %53
  %55 = load i32, ptr %54, align 4, !tbaa !29
  %56 = add nsw i32 %55, %51
  store i32 %56, ptr %54, align 4, !tbaa !29
  br label %57

57:                                               ; preds = %45, %41
  call void @llvm.nvvm.barrier0()
  br label %58

58:                                               ; preds = %57
  %59 = load i32, ptr %10, align 4, !tbaa !29
  %60 = sdiv i32 %59, 2
  store i32 %60, ptr %10, align 4, !tbaa !29
  br label %37, !llvm.loop !46

61:                                               ; preds = %40
  %62 = load i32, ptr %9, align 4, !tbaa !29
  %63 = icmp eq i32 %62, 0
  br i1 %63, label %64, label %75

64:                                               ; preds = %61
  %65 = load i32, ptr addrspacecast (ptr addrspace(3) @_ZZ10last_blockE1s to ptr), align 4, !tbaa !29
  %66 = load ptr, ptr %6, align 8, !tbaa !25
  %67 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds i32, ptr %66, i64 %68
  store i32 %65, ptr %69, align 4, !tbaa !29
  call void @llvm.nvvm.membar.gl()
  %70 = atomicrmw add ptr addrspacecast (ptr addrspace(1) @counter_of_blocks to ptr), i32 1 seq_cst, align 4
  %71 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %72 = sub nsw i32 %71, 1
  %73 = icmp eq i32 %70, %72
  %74 = zext i1 %73 to i8
  store i8 %74, ptr addrspacecast (ptr addrspace(3) @_ZZ10last_blockE4last to ptr), align 1, !tbaa !47
  br label %75

75:                                               ; preds = %64, %61
  call void @llvm.nvvm.barrier0()
  %76 = load i8, ptr addrspacecast (ptr addrspace(3) @_ZZ10last_blockE4last to ptr), align 1, !tbaa !47, !range !49, !noundef !50
  %77 = trunc i8 %76 to i1
  br i1 %77, label %78, label %101

78:                                               ; preds = %75
  %79 = load i32, ptr %9, align 4, !tbaa !29
  %80 = icmp eq i32 %79, 0
  br i1 %80, label %81, label %101

81:                                               ; preds = %78
  call void @llvm.lifetime.start.p0(i64 4, ptr %11) #7
  store i32 0, ptr %11, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %12) #7
  store i32 0, ptr %12, align 4, !tbaa !29
  br label %82

82:                                               ; preds = %95, %81
  %83 = load i32, ptr %12, align 4, !tbaa !29
  %84 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %85 = icmp slt i32 %83, %84
  br i1 %85, label %87, label %86

86:                                               ; preds = %82
  call void @llvm.lifetime.end.p0(i64 4, ptr %12) #7
  br label %98

87:                                               ; preds = %82
  %88 = load ptr, ptr %6, align 8, !tbaa !25
  %89 = load i32, ptr %12, align 4, !tbaa !29
  %90 = sext i32 %89 to i64
  %91 = getelementptr inbounds i32, ptr %88, i64 %90
  %92 = load i32, ptr %91, align 4, !tbaa !29
  %93 = load i32, ptr %11, align 4, !tbaa !29
  %94 = add nsw i32 %93, %92
  store i32 %94, ptr %11, align 4, !tbaa !29
  br label %95

95:                                               ; preds = %87
  %96 = load i32, ptr %12, align 4, !tbaa !29
  %97 = add nsw i32 %96, 1
  store i32 %97, ptr %12, align 4, !tbaa !29
  br label %82, !llvm.loop !51

98:                                               ; preds = %86
  %99 = load i32, ptr %11, align 4, !tbaa !29
  %100 = load ptr, ptr %7, align 8, !tbaa !25
  store i32 %99, ptr %100, align 4, !tbaa !29
  store i32 0, ptr addrspacecast (ptr addrspace(1) @counter_of_blocks to ptr), align 4, !tbaa !29
  call void @llvm.lifetime.end.p0(i64 4, ptr %11) #7
  br label %101

101:                                              ; preds = %98, %78, %75
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #7
  ret void
}

; Function Attrs: nocallback nounwind
declare void @llvm.nvvm.membar.gl() #5

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @named_barriers(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8, !tbaa !25
  call void @llvm.lifetime.start.p0(i64 4, ptr %3) #7
  %4 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %4, ptr %3, align 4, !tbaa !29
  %5 = load i32, ptr %3, align 4, !tbaa !29
  %6 = load i32, ptr %3, align 4, !tbaa !29
  %7 = sext i32 %6 to i64
  %8 = getelementptr inbounds [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ14named_barriersE1s to ptr), i64 0, i64 %7
  store i32 %5, ptr %8, align 4, !tbaa !29
  %9 = load i32, ptr %3, align 4, !tbaa !29
  %10 = icmp slt i32 %9, 64
  br i1 %10, label %11, label %21

11:                                               ; preds = %1
  call void @llvm.nvvm.barrier.sync.cnt(i32 1, i32 64)
  %12 = load i32, ptr %3, align 4, !tbaa !29
  %13 = sub nsw i32 63, %12
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ14named_barriersE1s to ptr), i64 0, i64 %14
  %16 = load i32, ptr %15, align 4, !tbaa !29
  %17 = load ptr, ptr %2, align 8, !tbaa !25
  %18 = load i32, ptr %3, align 4, !tbaa !29
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds i32, ptr %17, i64 %19
  store i32 %16, ptr %20, align 4, !tbaa !29
  br label %32

21:                                               ; preds = %1
  call void @llvm.nvvm.barrier.sync.cnt(i32 2, i32 64)
  %22 = load i32, ptr %3, align 4, !tbaa !29
  %23 = sub nsw i32 191, %22
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ14named_barriersE1s to ptr), i64 0, i64 %24
  %26 = load i32, ptr %25, align 4, !tbaa !29
  %27 = add nsw i32 %26, 1000
  %28 = load ptr, ptr %2, align 8, !tbaa !25
  %29 = load i32, ptr %3, align 4, !tbaa !29
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds i32, ptr %28, i64 %30
  store i32 %27, ptr %31, align 4, !tbaa !29
  br label %32

32:                                               ; preds = %21, %11
  call void @llvm.lifetime.end.p0(i64 4, ptr %3) #7
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.sync.cnt(i32, i32) #3

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @mismatch(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8, !tbaa !25
  call void @llvm.lifetime.start.p0(i64 4, ptr %3) #7
  %4 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %4, ptr %3, align 4, !tbaa !29
  %5 = load i32, ptr %3, align 4, !tbaa !29
  %6 = icmp slt i32 %5, 32
  br i1 %6, label %7, label %8

7:                                                ; preds = %1
  call void @llvm.nvvm.barrier.sync.cnt(i32 1, i32 64)
  br label %8

8:                                                ; preds = %7, %1
  %9 = load ptr, ptr %2, align 8, !tbaa !25
  %10 = load i32, ptr %3, align 4, !tbaa !29
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds i32, ptr %9, i64 %11
  store i32 1, ptr %12, align 4, !tbaa !29
  call void @llvm.lifetime.end.p0(i64 4, ptr %3) #7
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @grid_barrier(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !25
  store ptr %1, ptr %4, align 8, !tbaa !25
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #7
  %7 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %7, ptr %5, align 4, !tbaa !29
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #7
  %8 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %9 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %10 = mul nsw i32 %8, %9
  store i32 %10, ptr %6, align 4, !tbaa !29
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %12 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %13 = mul nsw i32 %11, %12
  %14 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %15 = add nsw i32 %13, %14
  %16 = load ptr, ptr %3, align 8, !tbaa !25
  %17 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %18 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %19 = mul nsw i32 %17, %18
  %20 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %21 = add nsw i32 %19, %20
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds i32, ptr %16, i64 %22
  store i32 %15, ptr %23, align 4, !tbaa !29
  %24 = load i32, ptr %5, align 4, !tbaa !29
  %25 = load i32, ptr %5, align 4, !tbaa !29
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [32 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12grid_barrierE1s to ptr), i64 0, i64 %26
  store i32 %24, ptr %27, align 4, !tbaa !29
  call void @__lanewise_grid_barrier() #8
  %28 = load ptr, ptr %3, align 8, !tbaa !25
  %29 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %30 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %31 = mul nsw i32 %29, %30
  %32 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %33 = add nsw i32 %31, %32
  %34 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %35 = add nsw i32 %33, %34
  %36 = load i32, ptr %6, align 4, !tbaa !29
  %37 = srem i32 %35, %36
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds i32, ptr %28, i64 %38
  %40 = load i32, ptr %39, align 4, !tbaa !29
  %41 = load i32, ptr %5, align 4, !tbaa !29
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds [32 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12grid_barrierE1s to ptr), i64 0, i64 %42
  %44 = load i32, ptr %43, align 4, !tbaa !29
  %45 = add nsw i32 %40, %44
  %46 = load ptr, ptr %4, align 8, !tbaa !25
  %47 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %48 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %49 = mul nsw i32 %47, %48
  %50 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %51 = add nsw i32 %49, %50
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds i32, ptr %46, i64 %52
  store i32 %45, ptr %53, align 4, !tbaa !29
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #7
  ret void
}

; Function Attrs: convergent nounwind
declare dso_local void @__lanewise_grid_barrier() #6

attributes #0 = { convergent mustprogress norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx80,+ptx85,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { convergent mustprogress noinline nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx80,+ptx85,+sm_90" }
attributes #5 = { nocallback nounwind }
attributes #6 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx80,+ptx85,+sm_90" }
attributes #7 = { nounwind }
attributes #8 = { convergent nounwind }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7, !8, !9, !10, !11, !12, !13, !14, !15, !16, !17, !18, !19, !20, !21}
!llvm.module.flags = !{!22, !23, !24}

!0 = !{ptr @tree_reduce, !"kernel", i32 1}
!1 = !{ptr @transpose, !"kernel", i32 1}
!2 = !{ptr @transpose_rows, !"kernel", i32 1}
!3 = !{ptr @relax, !"kernel", i32 1}
!4 = !{ptr @scan, !"kernel", i32 1}
!5 = !{ptr @uniform_condition, !"kernel", i32 1}
!6 = !{ptr @until_stable, !"kernel", i32 1}
!7 = !{ptr @divergent_barrier, !"kernel", i32 1}
!8 = !{ptr @divergent_loop, !"kernel", i32 1}
!9 = !{ptr @early_return, !"kernel", i32 1}
!10 = !{ptr @return_in_loop, !"kernel", i32 1}
!11 = !{ptr @vote_barriers, !"kernel", i32 1}
!12 = !{ptr @vote_after_return, !"kernel", i32 1}
!13 = !{ptr @local_array, !"kernel", i32 1}
!14 = !{ptr @local_address, !"kernel", i32 1}
!15 = !{ptr @nested_loops, !"kernel", i32 1}
!16 = !{ptr @reverse_dynamic, !"kernel", i32 1}
!17 = !{ptr @cube, !"kernel", i32 1}
!18 = !{ptr @last_block, !"kernel", i32 1}
!19 = !{ptr @named_barriers, !"kernel", i32 1}
!20 = !{ptr @mismatch, !"kernel", i32 1}
!21 = !{ptr @grid_barrier, !"kernel", i32 1}
!22 = !{i32 1, !"wchar_size", i32 4}
!23 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!24 = !{i32 7, !"frame-pointer", i32 2}
!25 = !{!26, !26, i64 0}
!26 = !{!"any pointer", !27, i64 0}
!27 = !{!"omnipotent char", !28, i64 0}
!28 = !{!"Simple C++ TBAA"}
!29 = !{!30, !30, i64 0}
!30 = !{!"int", !27, i64 0}
!31 = distinct !{!31, !32}
!32 = !{!"llvm.loop.mustprogress"}
!33 = distinct !{!33, !32}
!34 = distinct !{!34, !32}
!35 = distinct !{!35, !32}
!36 = distinct !{!36, !32}
!37 = distinct !{!37, !32}
!38 = distinct !{!38, !32}
!39 = distinct !{!39, !32}
!40 = distinct !{!40, !32}
!41 = distinct !{!41, !32}
!42 = distinct !{!42, !32}
!43 = distinct !{!43, !32}
!44 = distinct !{!44, !32}
!45 = distinct !{!45, !32}
!46 = distinct !{!46, !32}
!47 = !{!48, !48, i64 0}
!48 = !{!"bool", !27, i64 0}
!49 = !{i8 0, i8 2}
!50 = !{}
!51 = distinct !{!51, !32}
